import { get } from "/api.js";
import { Commands } from "/commands.js";
import { Drafts } from "/drafts.js";
import { Enclosing } from "/enclosing.js";
import { icon } from "/icons.js";
import { Log } from "/log.js";
import { markdown, speech } from "/saying.js";
import { html, nothing, problem, render, repeat } from "/ui.js";
import { t } from "/words.js";

const TYPING = 6_000; // milliseconds for which a sign holds; while an answer is made it comes again
const NEAR = 80; // points from the end that still count as at the end
const FEW = 50, MANY = 200; // sayings that are read at once
const SETTLED = 1_000; // milliseconds after which an answer is in the history, and was read out
const AHEAD = 400; // points from the top at which what was said before is asked for

// Chat is the room in which one talks with Nacre. It hears what is said also while
// another room is shown, so its elements stay what they are.
export class Chat {
  news = false; // something was said behind another room
  #app;
  #room = document.createElement("div");
  #log = new Log();
  #commands;
  #drafts = new Drafts("chat");
  #files;
  #shown = new Set(); // ids of parts on this page
  #draft = null; // the answer as far as it got
  #signs = false; // an answer is being made
  #quiet = 0;
  #asked = false; // what was said last is no command
  #loaded = false; // the history was
  #earlier = ""; // where what stands before it begins; empty if nothing does
  #trouble = ""; // why it could not be loaded
  #loading = null;
  #checking = 0;
  #stuck = true; // the end is in sight and stays there
  #top = 0; // how far it is scrolled, while another room is shown

  constructor(app) {
    this.#app = app;
    this.#room.className = "chatroom";
    this.#commands = new Commands(() => app.me.commands, (text) => this.#put(text), () => app.update());
    this.#files = new Enclosing(() => app.update());
    for (const { id, text } of app.link.unsaid()) this.#log.mine(id, text, [], false);
    render(this.#inside(), this.#room);
    this.#at("words").value = this.#drafts.get("words") ?? "";
    const grown = new ResizeObserver(() => this.#stuck && this.#toEnd());
    for (const id of ["log", "draft", "scroll"]) grown.observe(this.#at(id));
    addEventListener("beforeunload", (e) => this.#files.some && e.preventDefault());
    for (const kind of ["dragover", "drop"]) this.#room.addEventListener(kind, (e) => this.#brought(e, e.dataTransfer));
  }

  enter() {
    this.news = false;
    queueMicrotask(() => {
      this.#fit();
      if (!this.#stuck) this.#at("scroll").scrollTop = this.#top;
    });
  }

  leave() {
    this.#top = this.#at("scroll").scrollTop;
  }

  // focus goes to the field, unless that would bring up the keyboard of a phone.
  focus() {
    if (!matchMedia("(pointer: coarse)").matches) this.#at("words").focus();
  }

  view() {
    render(this.#inside(), this.#room);
    return this.#room;
  }

  hear(frame) {
    this.#take(frame);
    this.#app.update();
  }

  #take(frame) {
    const log = this.#log;
    switch (frame.t) {
      case "stored":
        return log.stored(frame.id);
      case "said":
        this.#heard(frame.text ?? "");
        return log.mine(frame.id, frame.text ?? "", frame.files, true);
      case "part":
        return this.#part(frame);
      case "stream":
        this.#sign(false);
        this.#draft = frame.text ? markdown(frame.text) : null;
        return;
      case "typing":
        return this.#sign(true);
      case "chosen":
        return log.chosen(frame.question, frame.text);
      case "error":
        return log.refused(frame.id, frame.text) || log.unanswered(frame.question, frame.text) || log.notice(t(frame.text));
    }
  }

  changed(topics) {
    if (topics.includes("forgotten")) this.#renew();
    else if (topics.includes("memory")) this.#check(this.#log.known);
  }

  // renew lets go of all that is here, of commands and answers that the history never
  // has as well, and reads it anew.
  #renew() {
    const { known } = this.#log;
    this.#log = this.#log.unsaid();
    this.#earlier = "";
    this.#sign(false);
    this.#draft = null;
    this.#read(() => this.#learn(known));
  }

  connection(state) {
    if (state === "up") {
      this.#load();
      return;
    }
    this.#sign(false);
    this.#draft = null;
  }

  #at(id) {
    return this.#room.querySelector("#" + id);
  }

  // part shows a part once, however often it comes, and says so each time.
  #part(frame) {
    if (!this.#shown.has(frame.id)) {
      this.#shown.add(frame.id);
      this.#sign(false);
      this.#draft = null;
      const text = [frame.repeat && t("(This may be a repeat.)"), frame.text].filter(Boolean).join(" ");
      if (this.#log.theirs({ ...frame, text }, this.#asked)) this.#app.unread();
      clearTimeout(this.#checking);
      this.#checking = setTimeout(() => this.#check(0), SETTLED);
    }
    this.#app.link.shown(frame.id);
  }

  #heard(text) {
    this.#asked = !text.startsWith("/");
  }

  #sign(on) {
    clearTimeout(this.#quiet);
    this.#signs = on && !this.#draft;
    if (on) this.#quiet = setTimeout(() => this.#unsign(), TYPING);
  }

  #unsign() {
    this.#sign(false);
    this.#app.update();
  }

  // load reads the newest part of the history, which has what was said while this page
  // was not connected.
  #load() {
    this.#read(() => this.#learn(this.#log.known));
  }

  // check has what is here be as the history has it now: what was forgotten goes, also
  // of what is said from now on, which this lets the history name.
  async #check(most) {
    await this.#learn(most).catch(() => {}); // the next one may succeed
    this.#app.update();
  }

  async #learn(most) {
    const log = this.#log;
    const { sayings, earlier } = await get("/api/history", { most: Math.min(Math.max(most, FEW), MANY) });
    if (log !== this.#log) return; // something was forgotten meanwhile
    if (log.merge(sayings ?? [], !earlier)) this.#earlier = earlier ?? "";
    this.#loaded = true;
  }

  // more reads what was said before that. What is in sight stays where it is.
  #more() {
    const log = this.#log;
    if (this.#earlier && !this.#loading) this.#read(async () => {
      const { sayings, earlier } = await get("/api/history", { before: this.#earlier });
      if (log !== this.#log) return;
      const scroll = this.#at("scroll");
      const below = scroll.scrollHeight - scroll.scrollTop;
      log.before(sayings ?? []);
      this.#earlier = earlier ?? "";
      render(this.#inside(), this.#room);
      scroll.scrollTop = scroll.scrollHeight - below;
    });
  }

  async #read(work) {
    const mine = (this.#loading = work().then(() => "", (e) => e.message));
    this.#app.update();
    const trouble = await mine;
    if (this.#loading !== mine) return;
    this.#trouble = trouble;
    this.#app.update();
    requestAnimationFrame(() => {
      if (this.#loading !== mine) return;
      this.#loading = null; // what is said now is read out again
      this.#app.update();
      if (!trouble && !this.#stuck) this.#scrolled(); // it may have been, meanwhile
    });
  }

  // say sends a message, and returns whether it could.
  #say(text, files = []) {
    const id = this.#app.link.say(text, files);
    if (id) {
      this.#heard(text);
      this.#log.mine(id, text, files.map((f) => f.name), false);
    } else this.#log.notice(t("This is too long for one message; send less than 64 kilobytes at a time."));
    this.#stuck = true;
    this.#app.update();
    return Boolean(id);
  }

  // submit sends what stands in the field, and the files.
  async #submit(e) {
    e.preventDefault();
    await this.#files.read;
    const words = this.#at("words");
    const { files } = this.#files;
    const text = words.value.trim() && words.value;
    if ((text || files.length) && this.#say(text, files)) {
      this.#files.clear();
      this.#put("");
    }
    words.focus();
  }

  // brought takes files that are dropped or pasted here. Where words came with them,
  // as from a text processor, those are meant.
  #brought(e, { files, types }) {
    if (!types.includes("Files") || types.includes("text/plain")) return;
    e.preventDefault();
    this.#files.add(files); // while something is dragged there are none
  }

  #picked(input) {
    this.#files.add(input.files);
    input.value = ""; // the same one can be chosen again
    this.#at("words").focus();
  }

  // put replaces what stands in the field.
  #put(text) {
    const words = this.#at("words");
    words.value = text;
    words.focus();
    this.#typed();
  }

  #typed() {
    const { value } = this.#at("words");
    if (value) this.#drafts.set("words", value);
    else this.#drafts.drop("words");
    this.#commands.type(value);
    this.#fit();
  }

  #key(e) {
    if (e.isComposing) return;
    if (this.#commands.key(e, this.#at("words").value)) e.preventDefault();
    else if (e.key === "Enter" && !e.shiftKey) this.#submit(e);
  }

  // fit makes the field as high as what stands in it; the style sets the limit.
  #fit() {
    const words = this.#at("words");
    words.style.height = "auto";
    words.style.height = words.scrollHeight + words.offsetHeight - words.clientHeight + "px";
  }

  #scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.#at("scroll");
    this.#stuck = scrollHeight - scrollTop - clientHeight < NEAR;
    if (scrollTop < AHEAD && scrollHeight > clientHeight) this.#more();
  }

  #toEnd() {
    this.#at("scroll").scrollTop = this.#at("scroll").scrollHeight;
  }

  #inside() {
    const { entries } = this.#log;
    return html`
      <h2 class="hidden">${t("Chat")}</h2>
      <div id="scroll" tabindex="0" role="region" aria-label=${t("Conversation")} @scroll=${() => this.#scrolled()}>
        <p id="earlier" ?hidden=${!this.#earlier}><button class="quiet" @click=${() => this.#more()}>${t("What was said before")}</button></p>
        ${problem(this.#trouble, () => this.#load())}
        <p id="empty" ?hidden=${entries.length > 0 || !this.#loaded}>${t("Say something. What is said here is one conversation, whichever page it is said on.")}</p>
        <div role="log" aria-live=${this.#loading ? "off" : "polite"} aria-label=${t("Messages")}>
          <ol id="log">${repeat(this.#speech(), (s) => s.key, (s) => s.view)}</ol>
        </div>
        <div id="draft" class="message theirs" aria-hidden="true" ?hidden=${!this.#draft}><div class="body" dir="auto">${this.#draft ?? nothing}</div></div>
        <p id="typing" role="status">${this.#signs ? t("Nacre is writing…") : nothing}</p>
      </div>
      ${this.#form()}`;
  }

  #form() {
    return html`<form id="say" @submit=${(e) => this.#submit(e)}>
        ${this.#commands.view()}
        ${this.#files.view()}
        <input id="pick" type="file" multiple hidden @change=${(e) => this.#picked(e.target)}>
        <button id="clip" type="button" aria-label=${t("Add files")} title=${t("Add files")} @click=${() => this.#at("pick").click()}>${icon("clip")}</button>
        <label class="hidden" for="words">${t("Message")}</label>
        <textarea id="words" rows="1" enterkeyhint="send" autocomplete="off" dir="auto" placeholder=${t("Message")} aria-describedby="hint"
          aria-autocomplete="list" aria-controls=${this.#commands.active ? "commands" : nothing} aria-activedescendant=${this.#commands.active || nothing}
          @keydown=${(e) => this.#key(e)} @input=${() => this.#typed()} @paste=${(e) => this.#brought(e, e.clipboardData)} @blur=${() => this.#commands.close()}></textarea>
        <button type="submit" aria-label=${t("Send")}>${icon("send")}</button>
        <p id="hint">${t("Enter sends, Shift+Enter begins a new line, / shows the commands.")}</p>
      </form>`;
  }

  // speech is what was said. The newest answer can be asked what it rests on.
  #speech() {
    const newest = this.#log.entries.findLast((e) => e.side === "theirs");
    return speech(this.#log.entries, {
      inside: (e) => e.options && this.#options(e),
      below: (e) => e === newest && e.asked ? this.#why() : state(e),
    });
  }

  #why() {
    return html`<button class="why" type="button" title=${t("Shows which notes and earlier messages were in front of Nacre")} @click=${() => this.#say("/why")}>${t("Why?")}</button>`;
  }

  // options are the answers that a question offers. Its buttons keep the focus.
  #options(entry) {
    return html`<div class="options ${entry.locked ? "locked" : ""}" role="group" aria-label=${t("Choose an answer")}>
        ${entry.options.map((text, n) => html`<button type="button" dir="auto" aria-pressed=${text === entry.chosen} aria-disabled=${Boolean(entry.locked)} @click=${() => this.#press(entry, n)}>${text}</button>`)}
        <span class="state" role="status">${entry.trouble ? t(entry.trouble) : nothing}</span>
      </div>`;
  }

  #press(entry, n) {
    if (entry.locked) return;
    this.#log.choose(entry.question);
    this.#app.link.press(entry.question, n);
    this.#app.update();
  }
}

// state says what became of something that was said here.
function state(entry) {
  if (entry.side !== "mine" || !entry.state) return nothing;
  return html`<span class="state">${entry.state === "waiting" ? t("sending") : t("Not sent: {0}", t(entry.trouble))}</span>`;
}
