import { named } from "/add.js";
import { change, done } from "/change.js";
import { live } from "/labels.js";
import { merge } from "/merge.js";
import { area } from "/store.js";
import { field, html, live as bound, nothing } from "/ui.js";
import { t } from "/words.js";

const LONGEST = 4000; // characters of a note

// Editor is the text of a note being edited. What was typed is only given up when its
// writer says so, whatever becomes of the note meanwhile.
export class Editor {
  #app;
  #store;
  #sheet; // the Sheet that it is of: reads the note anew, and is told when the editing is over
  #note; // as it was when the text was begun, or when its writer saw it last
  #text;
  #other = null; // what the note is now, if that is something else; without a text if it was forgotten
  #busy = false;

  constructor(app, store, sheet, note) {
    this.#app = app;
    this.#store = store;
    this.#sheet = sheet;
    this.#note = note;
    this.#text = note.text;
  }

  // note is what is edited, as it was.
  get note() {
    return this.#note;
  }

  // dirty reports whether something would be lost.
  get dirty() {
    return this.#text !== this.#note.text;
  }

  // look is told what the note is now, or what took its place; null if it was
  // forgotten. Where nothing was typed yet, that is edited from now on.
  look(now) {
    if (!now) this.#lost();
    else if (usable(now) && !this.dirty) [this.#note, this.#text] = [now, now.text];
    else if (now.id !== this.#note.id && now.text === this.#text.trim()) this.#sheet.edited(now); // saved by us, though the answer was lost, or by another
    else if (usable(now) && now.text === this.#note.text) [this.#note, this.#other] = [now, null];
    else this.#other = now;
  }

  // lost leaves nothing of a note that was forgotten, also not its name.
  #lost() {
    this.#note = { path: `${area(this.#note)}/${named(this.#text)}`, text: "" };
    this.#other = {};
  }

  view() {
    return html`<form class="edit" @submit=${(e) => this.#submit(e)}>
      ${this.#other ? this.#asked() : nothing}
      ${field(t("Text"), html`<textarea name="text" dir="auto" maxlength=${LONGEST} rows="4" .value=${bound(this.#text)} @input=${(e) => this.#type(e.target.value)} @keydown=${(e) => this.#key(e)}></textarea>`,
        t("One fact in one sentence. What it said before goes to the archive."))}
      <div class="row end">
        <button type="button" class="action plain" @click=${() => this.#sheet.edited(null)}>${this.dirty ? t("Discard") : t("Cancel")}</button>
        ${this.#other ? nothing : html`<button class="action" ?disabled=${this.#busy || !this.#text.trim()}>${t("Save")}</button>`}
      </div>
    </form>`;
  }

  // asked says what happened elsewhere, and asks what to do.
  #asked() {
    const { text } = this.#other;
    if (!usable(this.#other)) {
      return html`<div class="note clash" role="alert">
        <p>${text ? t("This note was let go while you wrote. Your text is still here.") : t("This note was forgotten while you wrote. Your text is still here.")}</p>
        <div class="row"><button type="button" class="action" ?disabled=${this.#busy} @click=${() => this.#anew()}>${t("Save my text as a new note")}</button></div>
      </div>`;
    }
    const both = merge(this.#note.text, this.#text, text);
    return html`<div class="note clash" role="alert">
      <p>${t("This note was changed elsewhere while you wrote. It says now:")}</p>
      <blockquote dir="auto">${text}</blockquote>
      ${both === null ? nothing : html`<p>${t("Both changes together would be:")}</p><blockquote dir="auto" class="both">${both}</blockquote>`}
      <div class="row">
        ${both === null ? nothing : html`<button type="button" class="action" ?disabled=${this.#busy} @click=${() => this.#save(both)}>${t("Save both together")}</button>`}
        <button type="button" class="action plain" ?disabled=${this.#busy} @click=${() => this.#save(this.#text)}>${t("Save mine")}</button>
        <button type="button" class="action plain" @click=${() => this.#sheet.edited(this.#other)}>${t("Take the other")}</button>
      </div>
    </div>`;
  }

  #type(text) {
    this.#text = text;
    this.#app.update();
  }

  // key saves with Enter, as a note is one line; Escape leaves what was not changed.
  #key(e) {
    if (e.key === "Escape" && !this.dirty) this.#sheet.edited(null);
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    e.target.form.requestSubmit();
  }

  #submit(e) {
    e.preventDefault();
    if (this.#other || !this.#text.trim()) return;
    if (this.dirty) this.#save(this.#text);
    else this.#sheet.edited(null);
  }

  // save puts a text in the place of what the note says now, which its writer saw.
  async #save(text) {
    const shown = this.#other ?? this.#note;
    [this.#note, this.#text, this.#other] = [shown, text, null];
    await this.#ask("edit", { note: shown.id, hash: shown.hash, text }, t("Corrected."));
  }

  // anew saves the text as a note of its own, in the place of the one that is gone.
  #anew() {
    return this.#ask("add", { path: this.#note.path, text: this.#text }, t("Remembered."));
  }

  async #ask(verb, body, said) {
    this.#busy = true;
    this.#app.update();
    const outcome = await change(this.#app, verb, body, () => this.#sheet.load());
    this.#busy = false;
    this.#app.update();
    if (!outcome) return;
    await this.#store.load();
    this.#sheet.edited(outcome.note);
    done(this.#app, this.#store, outcome.same ? t("There was nothing to change.") : said);
  }
}

// usable reports whether a note can be edited.
function usable(note) {
  return live(note) || note.status === "candidate";
}
