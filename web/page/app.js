// The page: the room that is shown, the way to the others, and the connection that
// all of them live on.

import { get } from "/api.js";
import { Chat } from "/chat.js";
import { icon } from "/icons.js";
import { Link } from "/link.js";
import { ROOMS, restOf, roomAt } from "/rooms.js";
import { html, nothing, render } from "/ui.js";
import { belongs } from "/whose.js";
import { speak, t } from "/words.js";

// What may have changed while nothing was heard.
const EVERYTHING = ["memory", "files", "jobs", "settings", "access", "channels"];

const TOLD = 8_000, WARNED = 20_000; // milliseconds for which a notice is shown

class App {
  me = { owner: "", operator: false, name: "", language: "", zone: "", commands: [] };
  link;
  #root = document.getElementById("app");
  #begun = false; // something was shown in place of the first header
  #chat;
  #made = new Map(); // path of a room → it
  #room; // the entry of ROOMS that is shown
  #state = "opening"; // of the link
  #missed = false; // something may have changed unheard
  #mark = ""; // of the connection: another when something may have been forgotten since
  #notice = null; // {text, bad}
  #fading = 0;
  #due = false;

  async start() {
    await this.#greet();
    this.link = new Link((frame) => this.#hear(frame), (state) => this.#connection(state));
    this.#chat = new Chat(this);
    this.#made.set("/", this.#chat);
    addEventListener("popstate", () => this.#follow(history.state?.top ?? 0));
    addEventListener("beforeunload", (e) => this.link.unsent && e.preventDefault());
    document.addEventListener("click", (e) => this.#clicked(e));
    await this.#follow();
  }

  // greet learns who this is, and in what language they read.
  async #greet() {
    try {
      this.me = await get("/api/me");
      belongs(this.me.owner);
    } catch (e) {
      if (e.kind !== "away" && e.kind !== "out") this.tell(e.message, true); // the link finds those out
    }
    await speak(this.me.language, this.me.zone);
  }

  // update shows what the rooms know now, once however often it is called.
  update() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (!this.#begun) this.#root.replaceChildren();
      this.#begun = true;
      render(this.#view(), this.#root);
    });
  }

  // go leads to another place of the page. Where this one was scrolled to is kept for
  // the way back.
  async go(path) {
    history.replaceState({ top: document.getElementById("main").scrollTop }, "");
    history.pushState(null, "", path);
    await this.#follow(0);
  }

  // tell shows a sentence for a while; one that is bad is read out at once.
  tell(text, bad = false) {
    clearTimeout(this.#fading);
    this.#notice = { text, bad };
    this.#fading = setTimeout(() => this.#untell(), bad ? WARNED : TOLD);
    this.update();
  }

  #untell() {
    this.#notice = null;
    this.update();
  }

  // run does something that may fail, and tells why it did. It returns what that
  // gave; undefined if it failed.
  async run(work) {
    try {
      return await work();
    } catch (e) {
      if (e.kind === "out") this.#connection("out");
      this.tell(e.message, true);
    } finally {
      this.update();
    }
  }

  // unread marks the chat as having something new, while another room is shown.
  unread() {
    if (this.#room?.path !== "/") this.#chat.news = true;
    this.update();
  }

  // named gives the window the name of what is shown.
  named() {
    const names = [this.#made.get(this.#room.path)?.title?.(), this.#room.path === "/" ? "" : this.#room.name(), "Nacre"];
    document.title = names.filter(Boolean).join(" – ");
  }

  // follow shows what the address names, scrolled down to top.
  async #follow(top) {
    const path = location.pathname;
    const room = roomAt(path) ?? ROOMS[0];
    const before = this.#room;
    if (before && before !== room) this.#made.get(before.path)?.leave?.();
    this.#room = room;
    this.update();
    if (!this.#made.has(room.path)) {
      const made = await this.run(async () => new (await room.load())(this));
      if (!made || this.#room !== room) return;
      this.#made.set(room.path, made);
    }
    this.#made.get(room.path).enter?.(restOf(room, path));
    this.named();
    this.update();
    queueMicrotask(() => this.#arrive(before !== room, before !== undefined, top));
  }

  // arrive puts the focus at the beginning of a room that was entered, or of what took
  // the place of what had it, for those who read with their ears or keys, and scrolls.
  #arrive(entered, moved, top) {
    document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (entered || document.activeElement === document.body) this.#focus(moved);
    if (top !== undefined) document.getElementById("main").scrollTop = top;
  }

  #focus(moved) {
    const room = this.#made.get(this.#room.path);
    if (room.focus) return room.focus();
    if (!moved) return; // the browser begins at the top by itself
    const heading = document.querySelector("#main h2");
    if (heading) heading.tabIndex = -1;
    (heading ?? document.getElementById("main")).focus({ preventScroll: true });
  }

  // clicked follows links of the page without loading it anew.
  #clicked(e) {
    const a = e.target.closest?.("a[href]");
    if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey || a.target || a.hasAttribute("download")) return;
    const url = new URL(a.href);
    if (url.origin !== location.origin || !roomAt(url.pathname) || (url.hash && url.pathname === location.pathname)) return;
    e.preventDefault();
    this.go(url.pathname);
  }

  #hear(frame) {
    if (frame.t === "changed") this.#changed(frame.topics);
    else if (frame.t === "ready") this.#caughtUp(frame.mark);
    else this.#chat.hear(frame);
  }

  // caughtUp asks for what may be different after a time in which nothing was heard.
  #caughtUp(mark) {
    if (this.#mark && this.#mark !== mark) this.#changed(["forgotten"]);
    else if (this.#missed) this.#changed(EVERYTHING);
    this.#missed = false;
    this.#mark = mark;
  }

  async #changed(topics) {
    if (topics.includes("forgotten")) {
      topics = ["forgotten", ...EVERYTHING];
      this.#untell(); // it may quote
      document.dispatchEvent(new Event("forgotten")); // to dialogs
    }
    if (topics.includes("settings")) {
      await this.#greet();
      this.named();
    }
    for (const room of this.#made.values()) room.changed?.(topics);
    this.update();
  }

  #connection(state) {
    this.#state = state;
    document.documentElement.dataset.link = state; // for styles, and for who watches the page
    this.#chat.connection(state);
    this.#missed ||= state !== "up";
    this.update();
  }

  #view() {
    const shown = this.#made.get(this.#room?.path);
    return html`
      <a class="skip" href="#main" @click=${skip}>${t("Skip to the content")}</a>
      ${this.#header()}
      <p id="banner" role="status" ?hidden=${this.#state === "up" || this.#state === "opening"}>${this.#banner()}</p>
      <main id="main" class=${this.#room?.path === "/" ? "chat" : "room"} tabindex="-1">
        ${shown ? shown.view() : html`<p class="empty">${t("Loading…")}</p>`}
      </main>
      ${this.#told()}`;
  }

  #header() {
    return html`<header class="top">
        <h1><img src="/icon.svg" alt="" width="24" height="24">Nacre</h1>
        <nav aria-label=${t("Rooms")}>${ROOMS.filter((r) => !r.aside && (!r.operator || this.me.operator)).map((r) => this.#way(r))}</nav>
        ${ROOMS.filter((r) => r.aside).map((r) => this.#way(r))}
        <form method="post" action="/logout" @submit=${() => sessionStorage.clear()}>
          <button class="aside" aria-label=${t("Log out")} title=${t("Log out")}>${icon("leave")}</button>
        </form>
      </header>`;
  }

  #way(room) {
    const name = room.name();
    const label = room.aside ? html`${icon(room.icon)}` : html`${icon(room.icon)}<span>${name}</span>${this.#badge(room)}`;
    return html`<a href=${room.path} class=${room.aside ? "aside" : "way"} aria-current=${room === this.#room ? "page" : nothing}
      aria-label=${room.aside ? name : nothing} title=${room.aside ? name : nothing}>${label}</a>`;
  }

  #badge(room) {
    const made = this.#made.get(room.path);
    return room !== this.#room && made?.news ? html`<span class="dot"><span class="hidden">, ${t("something new")}</span></span>` : nothing;
  }

  #banner() {
    if (this.#state === "out") return html`${t("You are logged out.")} <a href="/login">${t("Log in again.")}</a>`;
    return t("Nacre is away. What you write is kept on this page and sent when it is back.");
  }

  // told shows the notice. Both of its places are always there, so that screen readers
  // hear what comes into them.
  #told() {
    const { text, bad } = this.#notice ?? {};
    return html`<div id="notice" class=${text ? (bad ? "shown bad" : "shown") : ""}>
        <p role="status">${text && !bad ? text : nothing}</p>
        <p role="alert">${text && bad ? text : nothing}</p>
        <button class="quiet" aria-label=${t("Close")} @click=${() => this.#untell()}>✕</button>
      </div>`;
  }
}

// skip leads over the header to what is below it.
function skip(e) {
  e.preventDefault();
  document.getElementById("main").focus();
}

new App().start();
