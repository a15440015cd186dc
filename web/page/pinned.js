import { get } from "/api.js";
import { carryOut } from "/carry.js";
import { matching } from "/find.js";
import { live, scopeName } from "/labels.js";
import { Reading } from "/told.js";
import { empty, html, nothing, repeat } from "/ui.js";
import { number, t } from "/words.js";

const SHOWN = 8; // notes that are offered to be pinned

// Pinned is the room of the notes that the assistant always has at hand.
export class Pinned extends Reading {
  #store;
  #wanted = ""; // words of a note that is to be pinned

  constructor(app, store) {
    super(app, "memory");
    this.#store = store;
  }

  read() {
    return get("/api/memory/pinned");
  }

  view() {
    return html`
      <div class="keeping">
        <h2 tabindex="-1">${t("Pinned")}</h2>
        ${this.state()}
        ${this.told ? this.#shown(this.told) : nothing}
      </div>`;
  }

  #shown({ notes, next, used, room }) {
    return html`
      <p class="lead">${t("The assistant has these before it whatever you talk about. A note that was recalled on three days is pinned by itself, and one that was not recalled for 90 days is unpinned again. What you pin yourself stays.")}</p>
      <p class="room-used"><meter min="0" max=${room} value=${used} aria-labelledby="used"></meter>
        <span id="used">${t("{0} of {1} characters are used.", number(used), number(room))}</span></p>
      ${notes.length ? html`<ul class="cards">${repeat(notes, (p) => p.note.id, (p) => this.#pinned(p))}</ul>`
        : empty(t("Nothing is pinned yet. Pin below what the assistant should never have to look up."))}
      ${this.#choice()}
      <section>
        <h3>${t("In the next hour")}</h3>
        ${next.length ? html`<ul class="plain-list">${next.map((p) => this.#promotion(p))}</ul>` : html`<p class="faint">${t("Nothing would be pinned or unpinned.")}</p>`}
      </section>`;
  }

  #pinned({ note, why, hand }) {
    return html`
      <li class="card">
        <p class="text" dir="auto">${note.text}</p>
        <div class="foot-row">
          <p class="faint"><a href=${"/memory/note/" + note.id}>${note.path}</a>${note.scope ? html` · ${scopeName(note.scope)}` : nothing} ·
            ${hand ? t("pinned by you") : t("pinned by itself: {0}", t(why))}</p>
          <button class="quiet" aria-label=${t("Unpin {0}", note.path)} @click=${() => this.#set(note, "unpin", t("Unpinned. It is not pinned by itself again."))}>${t("Unpin")}</button>
        </div>
      </li>`;
  }

  #promotion({ note, pin, why }) {
    return html`
      <li><p class="text" dir="auto">${note.text}</p>
        <p class="faint"><a href=${"/memory/note/" + note.id}>${note.path}</a> · ${pin ? t("would be pinned: {0}", t(why)) : t("would be unpinned: {0}", t(why))}</p></li>`;
  }

  // choice lets the owner find a note to pin.
  #choice() {
    const found = this.#found();
    return html`
      <section>
        <h3>${t("Pin a note")}</h3>
        <label class="field"><span>${t("Words of the note")}</span>
          <input type="search" autocomplete="off" dir="auto" .value=${this.#wanted} @input=${(e) => this.#want(e.target.value)}></label>
        <ul class="plain-list" aria-live="polite">${repeat(found, (n) => n.id, (n) => html`
          <li class="foot-row"><div><p class="text" dir="auto">${n.text}</p><p class="faint">${n.path}</p></div>
            <button class="quiet" aria-label=${t("Pin {0}", n.path)} @click=${() => this.#set(n, "pin", t("Pinned. It stays until you unpin it."))}>${t("Pin")}</button></li>`)}
          ${this.#wanted.trim() && !found.length ? html`<li class="faint">${t("No note that is in use has these words.")}</li>` : nothing}
        </ul>
      </section>`;
  }

  #want(words) {
    this.#wanted = words;
    this.app.update();
  }

  #found() {
    const notes = this.#wanted.trim() ? matching(this.#store.listing?.notes ?? [], this.#wanted) : [];
    return notes.filter((n) => live(n) && !n.pinned).slice(0, SHOWN);
  }

  async #set(note, verb, said) {
    await carryOut(this.app, this.#store, verb, { note: note.id, hash: note.hash }, said);
    await this.load();
  }
}
