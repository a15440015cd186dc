// The rooms of memory, and the way between them.

import { Store } from "/store.js";
import { html, nothing } from "/ui.js";
import { number, t } from "/words.js";

const ROOMS = [
  { path: "", name: () => t("Notes"), load: async () => (await import("/notes.js")).Notes },
  { path: "waiting", name: () => t("Waiting for you"), load: async () => (await import("/waiting.js")).Waiting, count: (l) => l.waiting },
  { path: "pinned", name: () => t("Pinned"), load: async () => (await import("/pinned.js")).Pinned },
  { path: "files", name: () => t("Character"), load: async () => (await import("/files.js")).Files },
  { path: "log", name: () => t("Log"), load: async () => (await import("/audit.js")).Audit },
  { path: "moving", name: () => t("Import and export"), load: async () => (await import("/moving.js")).Moving },
];

// Memory leads to its rooms. Each is made with the page and the Store, and is a room
// as those of the page are. "note/ID" and nothing are those of the notes.
export class Memory {
  #app;
  #store;
  #made = new Map();
  #room = ROOMS[0];

  constructor(app) {
    this.#app = app;
    this.#store = new Store(app);
    this.#store.load();
  }

  async enter(rest) {
    const [first, ...more] = rest.split("/");
    const room = ROOMS.find((r) => r.path && r.path === first) ?? ROOMS[0];
    if (room !== this.#room) this.#made.get(this.#room.path)?.leave?.();
    this.#room = room;
    if (!this.#made.has(room.path)) {
      const made = await this.#app.run(async () => new (await room.load())(this.#app, this.#store));
      if (!made || this.#room !== room) return;
      this.#made.set(room.path, made);
    }
    this.#made.get(room.path).enter?.(room.path ? more.join("/") : rest);
    this.#app.update();
    queueMicrotask(() => document.querySelector(".subnav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  leave() {
    this.#made.get(this.#room.path)?.leave?.();
  }

  changed(topics) {
    if (topics.includes("forgotten")) this.#store.renew();
    else if (topics.includes("memory")) this.#store.load();
    for (const room of this.#made.values()) room.changed?.(topics);
  }

  title() {
    return this.#room.path && this.#room.name();
  }

  view() {
    const shown = this.#made.get(this.#room.path);
    return html`
      <nav class="subnav" aria-label=${t("Memory")}>
        ${ROOMS.map((r) => html`<a href=${"/memory" + (r.path && "/" + r.path)} aria-current=${r === this.#room ? "page" : nothing}>${r.name()}${this.#count(r)}</a>`)}
      </nav>
      ${shown ? shown.view() : html`<p class="empty">${t("Loading…")}</p>`}`;
  }

  #count(room) {
    const n = this.#store.listing && room.count?.(this.#store.listing);
    return n ? html` <span class="count">${number(n)}</span>` : nothing;
  }
}
