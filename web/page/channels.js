import { ask } from "/ask.js";
import { WhatsApp } from "/whatsapp.js";

const AGAIN = 5_000; // milliseconds between two looks at the channels
const SETTLED = 1_000; // milliseconds after which the server has done what it does behind an answer

const NAMES = { telegram: "Telegram", whatsapp: "WhatsApp", web: "Web page", terminal: "Terminal" };

const $ = (id) => document.getElementById(id);
const whatsapp = new WhatsApp(changed);
let shown = ""; // the channels that are on the page
let looks = 0; // that began

// look asks how the channels are, and shows it. A later look knows better.
async function look() {
  const mine = ++looks;
  try {
    const status = await (await ask("GET", "/v1/status")).json();
    if (mine !== looks) return;
    show(status.channels ?? [], status.whatsapp?.linked === false);
    whatsapp.state(status.whatsapp);
    $("fault").textContent = "";
  } catch (e) {
    if (mine === looks) $("fault").textContent = e.message;
  }
}

// changed looks at once, and at what came of it.
async function changed() {
  setTimeout(look, SETTLED);
  await look();
}

// follow looks again and again while the page can be seen.
async function follow() {
  if (!document.hidden) await look();
  setTimeout(follow, AGAIN);
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
  words.textContent = here(channel.words);
  item.append(name, mark, words);
  return item;
}

// here is what a channel says, where it would lead to this page.
function here(words) {
  return words.replace("run nacre pair whatsapp, or open the page", "link one below").replace("with nacre pair whatsapp, or on the page", "below");
}

follow();
addEventListener("visibilitychange", () => document.hidden || look());
