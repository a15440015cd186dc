// Link is the connection to the server. It comes back by itself, and repeats,
// with the same ids, what the server has not acknowledged, also after the page was
// loaded anew.

import { post } from "/api.js";
import { Drafts } from "/drafts.js";
import { belongs } from "/whose.js";

const WINDOW = 16; // requests on their way; the server has room for as many
const LONGEST = 64 * 1024; // bytes of a frame
const FIRST = 300, LAST = 15_000; // milliseconds between tries
const OVERDUE = 20_000; // milliseconds without an answer after which a connection counts as dead
const AGAIN = 2_000; // milliseconds until files are sent again that could not be, on a connection that is there
const SLEEP = 60_000; // milliseconds hidden after which a connection is not trusted

export class Link {
  #socket = null;
  #attached = false; // the server said whose it is
  #kept = new Drafts("link");
  #waiting = new Map(); // key → {frame, sent: when, 0 if not on this connection, files, posting: to stop that}
  #pause = FIRST;
  #retry = 0;
  #watch = 0;
  #asleep = 0; // when the page was hidden last
  #hear;
  #state;

  // hear gets every frame; state gets "up", "away" and "out" (not logged in).
  constructor(hear, state) {
    this.#hear = hear;
    this.#state = state;
    for (const frame of this.#kept.get("unsaid") ?? []) this.#waiting.set(frame.id, { frame, sent: 0 });
    addEventListener("online", () => this.#hurry(true));
    addEventListener("visibilitychange", () => this.#wake());
    this.#open();
  }

  // unsent is how many requests the server has not acknowledged.
  get unsent() {
    return this.#waiting.size;
  }

  // unsaid are the messages that the server has not acknowledged, as {id, text}. Those
  // with files are not among them: the browser has no room to keep them.
  unsaid() {
    return [...this.#waiting.values()].filter((w) => !w.files).map((w) => w.frame).filter((f) => f.t === "say");
  }

  // say sends a message and returns its id; null if it is too long. files are what
  // goes with it, as {name, data}.
  say(text, files = []) {
    const id = newID();
    return this.#ask(id, { t: "say", id, text }, files.length ? files : undefined) ? id : null;
  }

  press(question, option) {
    this.#ask("?" + question, { t: "press", question, option });
  }

  // shown tells that a part is on the page. It is not repeated: a part whose
  // acknowledgement is lost comes again.
  shown(id) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ t: "shown", id }));
  }

  #ask(key, frame, files) {
    if (new TextEncoder().encode(JSON.stringify(frame)).length > LONGEST) return false;
    this.#waiting.set(key, { frame, files, sent: 0 });
    this.#keep();
    this.#pump();
    return true;
  }

  #pump() {
    if (!this.#attached || this.#socket?.readyState !== WebSocket.OPEN) return;
    let room = WINDOW;
    for (const w of this.#waiting.values()) {
      if (w.files && room === WINDOW) this.#post(w);
      if (w.files || room-- === 0) break; // what is said is stored in its order
      if (w.sent) continue;
      w.sent = Date.now();
      this.#socket.send(JSON.stringify(w.frame));
    }
    clearTimeout(this.#watch);
    if (this.#waiting.size) this.#watch = setTimeout(() => this.#check(), OVERDUE);
  }

  // post sends a message that is too large for a frame.
  async #post(w) {
    if (w.posting) return;
    const { id, text } = w.frame;
    const { signal } = (w.posting = new AbortController());
    let answer = { t: "stored", id };
    try {
      await post("/api/chat", { id, text, files: w.files, wait: 0 }, signal);
    } catch (e) {
      const later = signal.aborted || ["away", "transient", "out"].includes(e.kind);
      answer = later ? null : { t: "error", id, text: e.message };
    }
    w.posting = null;
    if (answer) this.#take(answer);
    else setTimeout(() => this.#pump(), AGAIN);
  }

  // check gives a connection up on which nothing was answered for long.
  #check() {
    const [oldest] = this.#waiting.values();
    if (oldest?.sent && Date.now() - oldest.sent >= OVERDUE) this.#lost();
  }

  #open() {
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/ws");
    this.#socket = socket;
    socket.onmessage = (e) => this.#socket === socket && this.#take(JSON.parse(e.data));
    socket.onclose = () => this.#socket === socket && this.#lost();
  }

  #take(frame) {
    if (frame.t === "ready") {
      if (!belongs(frame.owner)) return this.#leave();
      this.#attached = true;
      this.#pause = FIRST;
      this.#state("up");
    }
    if (frame.t === "stored" || frame.t === "error") this.#done(frame.id);
    if (frame.t === "chosen" || frame.t === "error") this.#done("?" + frame.question);
    this.#hear(frame);
    this.#pump();
  }

  // leave ends it for good.
  #leave() {
    const socket = this.#socket;
    this.#socket = null;
    this.#attached = false;
    socket.close();
    clearTimeout(this.#watch);
  }

  #done(key) {
    if (this.#waiting.delete(key)) this.#keep();
  }

  #keep() {
    const unsaid = this.unsaid();
    if (unsaid.length) this.#kept.set("unsaid", unsaid);
    else this.#kept.drop("unsaid");
  }

  async #lost() {
    this.#leave();
    for (const w of this.#waiting.values()) {
      w.sent = 0;
      w.posting?.abort();
    }
    this.#state("away");
    if (await loggedOut()) {
      this.#state("out");
      return;
    }
    this.#retry = setTimeout(() => this.#open(), this.#pause * (0.8 + 0.4 * Math.random()));
    this.#pause = Math.min(2 * this.#pause, LAST);
  }

  // wake does not trust a connection after a long sleep: the server may have
  // given it up without a word that arrived.
  #wake() {
    if (document.hidden) this.#asleep = Date.now();
    else this.#hurry(Date.now() - this.#asleep > SLEEP);
  }

  // hurry tries at once, because the network or the person came back.
  #hurry(doubt) {
    if (this.#socket) {
      if (doubt) this.#lost();
      return;
    }
    if (!this.#retry) return;
    clearTimeout(this.#retry);
    this.#retry = 0;
    this.#open();
  }
}

// loggedOut asks whether the server answers and does not know this browser.
async function loggedOut() {
  try {
    return (await fetch("/", { method: "HEAD", redirect: "manual" })).type === "opaqueredirect";
  } catch {
    return false;
  }
}

// newID returns 128 random bits; crypto.randomUUID needs https.
function newID() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}
