import { get, post } from "/api.js";
import { named } from "/add.js";
import { card, remains } from "/card.js";
import { carryOut } from "/carry.js";
import { Drafts } from "/drafts.js";
import { live } from "/labels.js";
import { Reading } from "/told.js";
import { area } from "/store.js";
import { empty, html, nothing, repeat } from "/ui.js";
import { t } from "/words.js";

// Waiting is the room in which the owner decides on notes, each by what is shown of
// it. Nothing that was typed here is lost, wherever the note is decided on.
export class Waiting extends Reading {
  #store;
  #drafts = new Drafts("waiting"); // {path, text, typed: whether it is more than what waits} by the id of a note
  #open = new Map(this.#drafts.names().map((id) => [id, this.#drafts.get(id)])); // of these the words are being changed
  #deciding = new Set(); // ids of those on which a decision is on its way

  constructor(app, store) {
    super(app, "memory");
    this.#store = store;
  }

  read() {
    return get("/api/memory/review");
  }

  // changed leaves nothing of a note in what is written, also not its name, when
  // something was forgotten.
  changed(topics) {
    for (const [id, draft] of topics.includes("forgotten") ? [...this.#open] : []) {
      if (draft.typed) this.#edit(id, { ...draft, path: `${area(draft)}/${named(draft.text)}` });
      else this.#forget(id);
    }
    super.changed(topics);
  }

  // load keeps the focus in the room when the note that had it is decided on.
  async load() {
    const before = this.#cards();
    const at = before.findIndex((c) => c.contains(document.activeElement));
    await super.load();
    if (at >= 0 && !before[at].isConnected) this.#focus(at);
  }

  view() {
    const lost = this.told ? [...this.#open.keys()].filter((id) => !this.told.some((s) => s.note.id === id)) : [];
    return html`
      <section class="keeping waiting" @keydown=${(e) => this.#key(e)}>
        <h2 tabindex="-1">${t("Waiting for you")}</h2>
        ${this.state()}
        ${this.told?.length ? html`<p class="lead">${t("None of this is used until you decide. What you reject is kept away: it does not come back by itself.")}
          <span class="keys">${t("The keys j and k lead from one to the next.")}</span></p>` : nothing}
        ${lost.map((id) => remains(this.#open.get(id), this.#hand(id)))}
        ${this.told?.length === 0 ? empty(t("Nothing waits for you. What Nacre is not sure of comes here before it is used.")) : nothing}
        ${repeat(this.told ?? [], (s) => s.note.id, (s) => card(s, this.#rival(s), this.#open.get(s.note.id), this.#hand(s.note.id, s)))}
      </section>`;
  }

  // rival is the note in use that would be let go for one that waits: that in its
  // place, else that which it contradicts.
  #rival({ note, against }) {
    return this.#store.listing?.notes.find((n) => live(n) && n.path === note.path && n.scope === note.scope) ?? (against && live(against) ? against : undefined);
  }

  // hand is what can be done with a note that waits, or that waited.
  #hand(id, sheet) {
    return {
      accept: once(() => this.#decide(sheet, "confirm", t("Accepted."))),
      keep: once(() => this.#decide(sheet, "keep", t("Both are kept."))),
      reject: once(() => this.#decide(sheet, "reject", t("Rejected. It is kept away from now on."))),
      edit: () => this.#edit(id, { path: sheet.note.path, text: sheet.note.text }),
      type: (text) => this.#edit(id, { ...this.#open.get(id), text, typed: true }),
      leave: () => this.#close(id),
      save: () => this.#decide(sheet, "edit", t("Accepted, in your words."), { text: this.#open.get(id).text }),
      add: () => this.#add(id),
    };
  }

  #edit(id, draft) {
    const begun = !this.#open.has(id);
    this.#open.set(id, draft);
    this.#drafts.set(id, draft);
    this.app.update();
    if (begun) queueMicrotask(() => this.#card(id)?.querySelector("textarea").focus());
  }

  #forget(id) {
    this.#open.delete(id);
    this.#drafts.drop(id);
    this.app.update();
  }

  #close(id) {
    this.#forget(id);
    queueMicrotask(() => (this.#card(id) ?? this.#title()).focus());
  }

  // decide has a decision carried out on just what was shown. It is looked at once
  // more first, for a note that was decided on elsewhere may not be decided on anew.
  async #decide(sheet, verb, said, more = {}) {
    const { id, hash } = sheet.note;
    if (this.#deciding.has(id)) return;
    this.#deciding.add(id);
    if (await this.#same(sheet)) {
      const decided = await carryOut(this.app, this.#store, verb, { note: id, hash, ...more }, said, () => this.#changed());
      if (decided) this.#forget(id);
    }
    await this.load();
    this.#deciding.delete(id);
  }

  // same reports whether a note still waits as it was shown, with what it contradicts.
  async #same(sheet) {
    try {
      const now = await post("/api/memory/note", { name: sheet.note.id, which: "waiting" });
      if (now.note.hash === sheet.note.hash && now.against?.hash === sheet.against?.hash && now.against?.status === sheet.against?.status) return true;
      this.#changed();
    } catch (e) {
      this.app.tell(e.kind === "not_found" ? t("This was decided elsewhere meanwhile.") : e.message, true);
    }
    return false;
  }

  #changed() {
    this.app.tell(t("This changed just now, so nothing was decided. Look at it again."), true);
  }

  // add notes what was typed for a note that does not wait any more.
  async #add(id) {
    const { path, text } = this.#open.get(id);
    if (await carryOut(this.app, this.#store, "add", { path, text }, t("Noted, in your words."))) this.#close(id);
  }

  #key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input, textarea")) return;
    const step = { j: 1, k: -1 }[e.key] ?? (e.target.matches(".decide") ? { ArrowDown: 1, ArrowUp: -1 }[e.key] : undefined);
    if (!step) return;
    e.preventDefault();
    this.#focus(this.#cards().findIndex((c) => c.contains(document.activeElement)) + step);
  }

  #focus(at) {
    const cards = this.#cards();
    (cards[Math.max(0, Math.min(at, cards.length - 1))] ?? this.#title())?.focus();
  }

  #cards() {
    return [...document.querySelectorAll(".waiting .decide")];
  }

  #card(id) {
    return document.getElementById("waits-" + id);
  }

  #title() {
    return document.querySelector(".waiting h2");
  }
}

// once does not take the second half of a double click: another note may stand there
// by then.
function once(act) {
  return (e) => e.detail < 2 && act();
}
