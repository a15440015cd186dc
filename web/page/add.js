import { change, done } from "/change.js";
import { areaName, live } from "/labels.js";
import { AREAS } from "/store.js";
import { field, html, live as bound, nothing } from "/ui.js";
import { t } from "/words.js";

const LONGEST = 4000; // characters of a note
const NAME = 40; // characters of a name that is proposed

// Adder is a new note being written. left is told that it is done, and the note.
export class Adder {
  path = "new"; // behind /memory
  #app;
  #store;
  #left;
  #area = "about";
  #text = "";
  #name = ""; // as it was typed; empty: the proposed one
  #busy = false;

  constructor(app, store, left) {
    this.#app = app;
    this.#store = store;
    this.#left = left;
  }

  // dirty reports whether something would be lost.
  get dirty() {
    return this.#text.trim() !== "";
  }

  view() {
    const there = this.#standing();
    return html`<form class="add" @submit=${(e) => this.#submit(e)}>
      <h2 tabindex="-1">${t("Add a note")}</h2>
      ${field(t("What to remember"), html`<textarea name="text" dir="auto" maxlength=${LONGEST} rows="4" .value=${bound(this.#text)} @input=${(e) => this.#set(() => (this.#text = e.target.value))}></textarea>`,
        t("One fact in one sentence, such as “The bike is green.”"))}
      ${field(t("Area"), html`<select @change=${(e) => this.#set(() => (this.#area = e.target.value))}>
        ${AREAS.map((a) => html`<option value=${a} ?selected=${a === this.#area}>${areaName(a)}</option>`)}</select>`)}
      ${field(t("Name"), html`<input dir="auto" maxlength="64" .value=${bound(this.#name)} placeholder=${this.#proposed() || t("bike")} @input=${(e) => this.#set(() => (this.#name = e.target.value))}>`,
        t("What the note is called. Leave it empty to take the one that is proposed."))}
      ${there ? html`<p class="note">${t("A note of this name is there already, and would go to the archive:")} <bdi dir="auto">${there.text}</bdi></p>` : nothing}
      <div class="row end">
        <button type="button" class="action plain" @click=${() => this.#leave(null)}>${this.dirty ? t("Discard") : t("Cancel")}</button>
        <button class="action" ?disabled=${this.#busy || !this.dirty}>${t("Remember it")}</button>
      </div>
    </form>`;
  }

  #leave(note) {
    this.#text = "";
    this.#left(note);
  }

  #set(take) {
    take();
    this.#app.update();
  }

  // proposed is a name made of the text, which no other note has.
  #proposed() {
    const name = named(this.#text);
    let free = name;
    for (let i = 2; name && this.#at(free); i++) free = `${name}-${i}`;
    return free;
  }

  // at is the live note of a name in the area that is chosen.
  #at(name) {
    return this.#store.listing?.notes.find((n) => live(n) && !n.scope && n.path === `${this.#area}/${name}`);
  }

  // standing is the note whose place the new one would take.
  #standing() {
    return this.#name.trim() ? this.#at(named(this.#name, LONGEST)) : undefined;
  }

  async #submit(e) {
    e.preventDefault();
    if (this.#busy || !this.dirty) return;
    this.#busy = true;
    const path = `${this.#area}/${this.#name.trim() || this.#proposed()}`;
    const outcome = await change(this.#app, "add", { path, text: this.#text });
    this.#busy = false;
    this.#app.update();
    if (!outcome) return;
    await this.#store.load();
    this.#leave(outcome.note);
    done(this.#app, this.#store, outcome.same ? t("It was known already.") : t("Remembered."));
  }
}

// named makes a name of a text: words of letters and digits with dashes between, at
// most so many characters of them, as the server does.
export function named(text, most = NAME) {
  const words = text.toLowerCase().replace(/['’]/g, "").match(/[\p{L}\p{Nd}\p{M}]+/gu) ?? [];
  let name = "";
  for (const word of words) {
    if (name && name.length + 1 + word.length > most) break;
    name += (name && "-") + word.slice(0, most);
  }
  return name;
}
