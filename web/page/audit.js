import { post } from "/api.js";
import { what, who, why } from "/entry.js";
import { fold } from "/find.js";
import { Reading } from "/told.js";
import { empty, html, nothing, repeat } from "/ui.js";
import { Verifying } from "/verifying.js";
import { count, day, hour, number, t } from "/words.js";

const PAGE = 200; // entries that are shown at once

// Audit is the room of what happened to memory, and of the proof that nobody changed
// the record of it.
export class Audit extends Reading {
  #store;
  #refusals = false; // also what was refused
  #wanted = ""; // words of what is looked for
  #shown = PAGE;
  #verifying;

  constructor(app, store) {
    super(app, "memory");
    this.#store = store;
    this.#verifying = new Verifying(app, store);
  }

  // read gives the entries, the newest first, each with its words. Where a note stood
  // is known as long as it is not forgotten.
  async read() {
    const entries = await post("/api/memory/log", { refusals: this.#refusals });
    if (!this.#store.listing) await this.#store.load();
    const paths = new Map(this.#store.listing?.notes.map((n) => [n.id, n.path]));
    return entries.reverse().map((e) => {
      const [did, by, because, path] = [what(e), who(e), why(e), paths.get(e.note) ?? e.path];
      return { ...e, did, by, because, path, all: fold([did, by, because, path].join("\n")) };
    });
  }

  view() {
    return html`
      <div class="keeping">
        <h2 tabindex="-1">${t("Log")}</h2>
        <p class="lead">${t("Everything that happened to your memory. The log never holds the words of a note.")}</p>
        <div class="filter">
          <label class="field"><span>${t("Search the log")}</span><input type="search" autocomplete="off" dir="auto" .value=${this.#wanted} @input=${(e) => this.#want(e.target.value)}></label>
          <label class="field check"><input type="checkbox" .checked=${this.#refusals} @change=${(e) => this.#ask(e.target.checked)}><span>${t("Also what was refused")}</span></label>
        </div>
        ${this.state()}
        ${this.told ? this.#entries(this.#found()) : nothing}
        ${this.#verifying.view()}
      </div>`;
  }

  #entries(found) {
    if (!found.length) return empty(this.#wanted.trim() ? t("Nothing in the log has these words.") : t("Nothing happened yet. Every change of memory is written down here."));
    const shown = found.slice(0, this.#shown);
    return html`
      ${Object.entries(Object.groupBy(shown, (e) => day(e.at))).map(([date, entries]) => html`
        <h3>${date}</h3>
        <ol class="entries" role="list">${repeat(entries, (e) => e.leaf, row)}</ol>`)}
      <p class="row">
        <span class="faint" role="status">${t("{0} of {1}", number(shown.length), count(found.length, "{0} entry", "{0} entries"))}</span>
        ${shown.length < found.length ? html`<button class="quiet" @click=${() => this.#more()}>${t("Show older ones")}</button>` : nothing}
      </p>`;
  }

  #found() {
    const wanted = fold(this.#wanted).split(/\s+/u).filter(Boolean);
    return wanted.length ? this.told.filter((e) => wanted.every((w) => e.all.includes(w))) : this.told;
  }

  #want(words) {
    this.#wanted = words;
    this.#shown = PAGE;
    this.app.update();
  }

  #ask(refusals) {
    this.#refusals = refusals;
    this.#shown = PAGE;
    this.load();
  }

  #more() {
    this.#shown += PAGE;
    this.app.update();
  }
}

function row(e) {
  return html`
    <li>
      <time datetime=${e.at}>${hour(e.at)}</time>
      <p class="did"><strong>${e.did}</strong> ${e.path ? html`<a href=${"/memory/note/" + e.note}>${e.path}</a>` : nothing}</p>
      <p class="faint">${e.by}${e.because ? html`. ${e.because}` : nothing}</p>
    </li>`;
}
