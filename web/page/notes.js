// The room of the notes: all of them at a glance, and one of them in full.

import { Adder } from "/add.js";
import { matching, prepare } from "/find.js";
import { forget } from "/forget.js";
import { areaName, live, standing, STATUSES, statusName, topicName } from "/labels.js";
import "/list.js";
import { Sheet } from "/note.js";
import { Past } from "/past.js";
import { Said } from "/said.js";
import { paused, steer } from "/steer.js";
import { area, AREAS, slug } from "/store.js";
import { empty, html, live as bound, nothing, problem } from "/ui.js";
import { count, number, t } from "/words.js";

const BROAD = "(width >= 64rem)"; // there is room for the notes and one in full

export class Notes {
  #app;
  #store;
  #past;
  #said;
  #words = "";
  #area = ""; // that is shown alone
  #status = ""; // that is shown alone; empty: all but what was let go
  #place = { scroll: 0, at: 0 }; // of the list
  #open = null; // Sheet or Adder
  #counted = { of: null, area: "", status: "", n: {} }; // see counts
  #kept = new Set(); // each Sheet or Adder that was left with something typed in it
  #broad = matchMedia(BROAD);

  constructor(app, store) {
    this.#app = app;
    this.#store = store;
    this.#past = new Past(app, store);
    this.#said = new Said(app);
    this.#broad.addEventListener("change", () => app.update());
    addEventListener("beforeunload", (e) => this.#dirty && e.preventDefault());
  }

  // enter shows what stands behind /memory: nothing, "new" or "note/ID".
  enter(rest) {
    const before = this.#open;
    if (before?.dirty) this.#kept.add(before);
    this.#open = rest ? ([...this.#kept].find((k) => k.path === rest) ?? this.#made(rest)) : null;
    this.#kept.delete(this.#open);
    this.#open?.load?.();
    this.#app.update();
    if (before !== this.#open) requestAnimationFrame(() => this.#lead()); // once the page has scrolled as it does
  }

  #made(rest) {
    const left = (note) => this.#app.go(note ? "/memory/note/" + note.id : "/memory");
    return rest === "new" ? new Adder(this.#app, this.#store, left) : new Sheet(this.#app, this.#store, rest.replace(/^note\//, ""), left);
  }

  // lead puts the focus on what was opened, or back into the list.
  #lead() {
    if (!this.#open) return document.querySelector("long-list")?.resume();
    (document.querySelector(".sheet textarea") ?? document.querySelector(".sheet h2"))?.focus();
    if (!this.#broad.matches) document.querySelector("main").scrollTop = 0;
  }

  changed(topics) {
    if (!topics.includes("memory")) return;
    if (topics.includes("forgotten")) {
      this.#past.listing = null;
      this.#said.renew();
    }
    this.#open?.load?.();
    this.#past.load();
    for (const kept of this.#kept) kept.load?.();
  }

  get #dirty() {
    return this.#open?.dirty || this.#kept.size > 0;
  }

  view() {
    const { listing, error } = this.#store;
    if (!listing) return error ? problem(error, () => this.#store.load()) : empty(t("Loading…"));
    return html`<div class="notes wide">
      ${this.#open && !this.#broad.matches ? nothing : html`<div class="pane">${this.#found()}</div>`}
      ${this.#open || this.#broad.matches ? html`<div class="pane sheet">${this.#shown()}</div>` : nothing}
    </div>`;
  }

  #shown() {
    if (!this.#open) return empty(t("Choose a note to see where it comes from."));
    return html`
      <p class="back"><a href="/memory">← ${t("All notes")}</a></p>
      ${this.#past.banner()}
      ${this.#open.view(this.#past.day ? { day: this.#past.day, notes: this.#past.listing?.notes ?? [] } : null)}`;
  }

  // notes are those of the day that is looked at.
  get #notes() {
    return (this.#past.day ? this.#past.listing : this.#store.listing)?.notes ?? [];
  }

  #found() {
    const { listing, error } = this.#store;
    return html`
      <div class="heading"><h2 tabindex="-1">${t("Notes")}</h2>
        ${this.#past.day ? nothing : html`<a class="action" href="/memory/new">${t("Add a note")}</a>`}</div>
      ${problem(error && t("What is shown may be old. {0}", error), () => this.#store.load())}
      ${paused(this.#app, this.#store)}
      ${this.#kept.size ? html`<p class="note">${t("You have text that is not saved:")} ${[...this.#kept].map(({ path }) => html`<a href=${"/memory/" + path}>${path === "new" ? t("a new note") : t("a note")}</a> `)}</p>` : nothing}
      ${this.#past.banner()}
      <div class="controls">${this.#past.day ? nothing : steer(this.#app, this.#store)}${listing.notes.length ? this.#past.view() : nothing}</div>
      ${listing.notes.length ? this.#sought() : this.#nothing()}`;
  }

  #nothing() {
    return empty(t("Nothing is remembered yet."), html`
      <p>${t("Tell Nacre something about you in a chat, such as “Remember that my bike is green”, or write the first note yourself.")}</p>
      <div class="row"><a class="action" href="/memory/new">${t("Add a note")}</a><a class="action plain" href="/memory/moving">${t("Import notes")}</a></div>`);
  }

  // sought is the search, and what it finds.
  #sought() {
    const all = this.#notes;
    const found = matching(all, this.#words);
    const shown = found.filter((n) => this.#wanted(n));
    const n = this.#counts();
    const gone = this.#status ? 0 : found.filter((n) => standing(n) === "gone" && this.#here(n)).length;
    return html`
      <form class="search" role="search" @submit=${(e) => e.preventDefault()}>
        <input type="search" dir="auto" aria-label=${t("Search notes and what was said")} placeholder=${t("Search notes and what was said")} .value=${bound(this.#words)}
          @focus=${() => prepare(this.#notes)} @input=${(e) => this.#search(e.target.value)} @keydown=${(e) => this.#key(e)}>
      </form>
      ${this.#chips(t("Areas"), AREAS, this.#area, areaName, n, (a) => (this.#area = a))}
      ${this.#chips(t("Statuses"), STATUSES, this.#status, statusName, n, (s) => (this.#status = s))}
      <p class="summary"><span role="status">${shown.length ? count(shown.length, "{0} note", "{0} notes") : t("No note is like that.")}</span>
        ${gone ? html`<button class="quiet" @click=${() => this.#choose(() => (this.#status = "gone"))}>${count(gone, "{0} more was let go", "{0} more were let go")}</button>` : nothing}
        ${this.#area || this.#status ? html`<button class="quiet" @click=${() => this.#choose(() => (this.#area = this.#status = ""))}>${t("Show all")}</button>` : nothing}
        ${this.#words.trim() && !this.#past.day ? html`<button class="quiet" @click=${() => this.#forget()}>${t("Forget these words…")}</button>` : nothing}</p>
      <long-list .holds=${{ items: shown, row: (n, tabindex) => this.#row(n, tabindex), place: this.#place }}></long-list>
      ${this.#past.day ? nothing : this.#said.view()}`;
  }

  #here(note) {
    return !this.#area || area(note) === this.#area;
  }

  #standing(note) {
    return this.#status ? standing(note) === this.#status : standing(note) !== "gone";
  }

  #wanted(note) {
    return this.#here(note) && this.#standing(note);
  }

  // counts are how many notes each area and each status has, of what the other choice
  // leaves.
  #counts() {
    const { of, area: wanted, status, n } = this.#counted;
    if (of === this.#notes && wanted === this.#area && status === this.#status) return n; // as for most key strokes
    this.#counted = { of: this.#notes, area: this.#area, status: this.#status, n: {} };
    for (const note of this.#notes) {
      if (this.#standing(note)) this.#count(area(note));
      if (this.#here(note)) this.#count(standing(note));
    }
    return this.#counted.n;
  }

  #count(one) {
    this.#counted.n[one] = (this.#counted.n[one] ?? 0) + 1;
  }

  // chips are buttons that show a part of the notes alone, with how many it has.
  #chips(label, all, chosen, name, n, choose) {
    return html`<div class="chips" role="group" aria-label=${label}>${all.map((one) => html`
      <button aria-pressed=${one === chosen} class=${n[one] ? "" : "none"} @click=${() => this.#choose(() => choose(one === chosen ? "" : one))}>${name(one)} <span>${number(n[one] ?? 0)}</span></button>`)}</div>`;
  }

  #choose(take) {
    take();
    this.#top();
  }

  #search(words) {
    this.#words = words;
    this.#said.look(words);
    this.#top();
  }

  // forget leads to the forgetting of what is looked for, which then is not looked for
  // any more.
  async #forget() {
    if (await forget(this.#app, this.#store, { words: this.#words })) this.#search("");
  }

  #top() {
    document.querySelector("long-list")?.top();
    this.#app.update();
  }

  // key leads from the words to what they find.
  #key(e) {
    if (e.key !== "Enter" && e.key !== "ArrowDown" || e.isComposing) return;
    e.preventDefault();
    document.querySelector("long-list").begin();
  }

  #row(note, tabindex) {
    const status = standing(note);
    return html`<a href=${"/memory/note/" + note.id} tabindex=${tabindex} aria-current=${this.#open?.id === note.id ? "true" : nothing} class=${live(note) ? "" : "idle"}>
      <span class="over"><bdi dir="auto" class="slug">${slug(note).replaceAll("-", " ")}</bdi>
        ${note.pinned ? html`<span class="mark">${t("Pinned")}</span>` : nothing}
        ${note.topic ? html`<span class="mark" title=${topicName(note.topic)}>${t("Sensitive")}</span>` : nothing}
        ${note.scope ? html`<span class="mark">${t("Group")}</span>` : nothing}
        <span class="status ${status}">${statusName(status)}</span></span>
      <span class="text" dir="auto">${note.text}</span></a>`;
  }
}
