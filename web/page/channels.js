import { ask } from "/ask.js";
import { WhatsApp } from "/whatsapp.js";

const AGAIN = 5_000; // milliseconds between two looks at the channels

const NAMES = { telegram: "Telegram", whatsapp: "WhatsApp", web: "Web page", terminal: "Terminal" };

const $ = (id) => document.getElementById(id);
const whatsapp = new WhatsApp(look);
let shown = ""; // the channels that are on the page

// look asks how the channels are, and shows it.
async function look() {
  try {
    const status = await (await ask("GET", "/v1/status")).json();
    show(status.channels ?? [], status.whatsapp?.linked === false);
    whatsapp.state(status.whatsapp);
    $("fault").textContent = "";
  } catch (e) {
    $("fault").textContent = e.message;
  }
}

// show lists the channels anew if they changed. WhatsApp does neither well nor
// badly while nothing is linked.
function show(channels, unlinked) {
  const now = JSON.stringify([channels, unlinked]);
  if (now === shown) return;
  shown = now;
  channels.sort((a, b) => a.name.localeCompare(b.name));
  $("channels").replaceChildren(...channels.map((c) => row(c, unlinked && c.name === "whatsapp" ? "" : "OK")));
}

// row is a channel, how it is in its own words, and in a word if it is well.
function row(channel, well) {
  const item = document.createElement("li");
  const name = document.createElement("strong");
  name.textContent = NAMES[channel.name] ?? channel.name;
  const mark = document.createElement("span");
  mark.className = channel.ok ? "mark" : "mark bad";
  mark.textContent = channel.ok ? well : "Not working";
  const words = document.createElement("p");
  words.textContent = channel.words;
  item.append(name, mark, words);
  return item;
}

await look();
setInterval(() => document.hidden || look(), AGAIN);
addEventListener("visibilitychange", () => document.hidden || look());
