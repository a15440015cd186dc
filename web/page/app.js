import { Link } from "/link.js";
import { Log } from "/log.js";

const TYPING = 6_000; // milliseconds for which a sign holds; while an answer is made it comes again
const REPEAT = "(This may be a repeat.) ";

const $ = (id) => document.getElementById(id);
const words = $("words"), banner = $("banner"), typing = $("typing");
const log = new Log($("log"), $("draft"), $("scroll"), (question, option) => link.press(question, option), () => say("/why"));
const shown = new Set(); // ids of parts on this page
let quiet = 0;
let asked = false; // what was said last is no command

const link = new Link(hear, connection);

function hear(frame) {
  switch (frame.t) {
    case "stored":
      log.stored(frame.id);
      break;
    case "said":
      begin();
      heard(frame.text);
      log.mine(frame.id, frame.text, true);
      break;
    case "part":
      part(frame);
      break;
    case "stream":
      sign(false);
      log.draft(frame.text);
      break;
    case "typing":
      sign(true);
      break;
    case "chosen":
      log.chosen(frame.question, frame.text);
      break;
    case "error":
      if (!log.refused(frame.id, frame.text) && !log.unanswered(frame.question, frame.text)) log.notice(frame.text);
      break;
  }
}

// part shows a part once, however often it comes, and says so each time.
function part(frame) {
  if (!shown.has(frame.id)) {
    shown.add(frame.id);
    begin();
    sign(false);
    log.draft("");
    if (frame.repeat) frame.text = REPEAT + (frame.text ?? "");
    log.theirs(frame, asked);
  }
  link.shown(frame.id);
}

function heard(text) {
  asked = !text.startsWith("/");
}

function begin() {
  $("empty").hidden = true;
}

function sign(on) {
  clearTimeout(quiet);
  typing.textContent = on && $("draft").hidden ? "Nacre is writing…" : "";
  if (on) quiet = setTimeout(() => sign(false), TYPING);
}

function connection(state) {
  if (state !== "up") {
    sign(false);
    log.draft("");
  }
  banner.hidden = state === "up";
  if (state === "away") {
    banner.textContent = "Nacre is away. What you write is kept on this page and sent when it is back.";
  }
  if (state === "out") {
    const again = document.createElement("a");
    again.href = "/login";
    again.textContent = "Log in again.";
    banner.replaceChildren("You are logged out. ", again);
  }
}

// say sends a message, and returns whether it could.
function say(text) {
  const id = link.say(text);
  if (!id) {
    log.notice("This is too long for one message; send less than 64 kilobytes at a time.");
    return false;
  }
  begin();
  heard(text);
  log.mine(id, text, false);
  return true;
}

// submit sends what stands in the field.
function submit() {
  if (words.value.trim() && say(words.value)) {
    words.value = "";
    fit();
  }
}

// fit makes the field as high as what stands in it; the style sets the limit.
function fit() {
  words.style.height = "auto";
  words.style.height = words.scrollHeight + words.offsetHeight - words.clientHeight + "px";
}

$("say").addEventListener("submit", (e) => {
  e.preventDefault();
  submit();
  words.focus();
});
words.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
    e.preventDefault();
    submit();
  }
});
words.addEventListener("input", fit);
addEventListener("beforeunload", (e) => link.unsent && e.preventDefault());
