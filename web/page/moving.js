import { ask, post } from "/api.js";
import { done } from "/change.js";
import { copyButton } from "/copy.js";
import { Drafts } from "/drafts.js";
import { outcome } from "/imported.js";
import { save } from "/saving.js";
import { html, nothing } from "/ui.js";
import { count, t } from "/words.js";

const LARGEST = 900_000; // bytes of a text that is asked for at once

// Moving is the room for what other assistants know, and for taking all that is noted
// elsewhere.
export class Moving {
  #app;
  #store;
  #drafts = new Drafts("moving");
  #text;
  #told = null; // what would become of the text, or did
  #busy = false;
  #over = false; // a file is held over the field

  constructor(app, store) {
    this.#app = app;
    this.#store = store;
    this.#text = this.#drafts.get("text") ?? "";
  }

  // changed forgets what is told of a text and may not be right any more.
  changed(topics) {
    if (topics.includes("forgotten") && !this.#told?.dry) this.#told = null;
    if (topics.includes("memory") && this.#told?.dry) this.#ask(true);
  }

  view() {
    return html`
      <div class="keeping">
        <h2 tabindex="-1">${t("Import and export")}</h2>
        <h3>${t("Bring over what another assistant knows about you")}</h3>
        ${this.#question()}
        ${this.#field()}
        ${this.#told ? outcome(this.#told) : nothing}
        ${this.#consent()}
        <h3>${t("Take everything with you")}</h3>
        <p>${t("One Markdown file with all notes, the words they rest on, and the archive. What you have forgotten later is gone here, but not from copies that were downloaded before.")}</p>
        <a class="action link" href="/api/memory/export" download="nacre-memory.md" @click=${(e) => this.#export(e)}>${t("Download everything")}</a>
      </div>`;
  }

  // export saves what the server gives to the owner of this page, and to no other.
  #export(e) {
    e.preventDefault();
    return this.#app.run(async () => save("nacre-memory.md", await (await ask("GET", "/api/memory/export")).text()));
  }

  // question is what one can ask the other assistant for.
  #question() {
    const prompt = t("List everything that you remember about me, and everything that you have learned about me from what I told you. Write it as Markdown under these headings: ## about, ## preferences, ## people, ## routines, ## lessons. Below each write a list with one short fact a line, in my own words where you can. Leave out passwords and other secrets. Leave out nothing else, and add nothing that I did not tell you.");
    return html`
      <p>${t("Give this to the other assistant, and put its answer below. Any text with headings and lists will do.")}</p>
      <blockquote class="prompt"><p>${prompt}</p>${copyButton(this.#app, prompt)}</blockquote>`;
  }

  #field() {
    return html`
      <form class=${this.#over ? "drop over" : "drop"} @submit=${(e) => (e.preventDefault(), this.#ask(true))}
        @dragover=${(e) => this.#hold(e, true)} @dragleave=${(e) => this.#hold(e, false)} @drop=${(e) => this.#dropped(e)}>
        <label class="field"><span>${t("What it answered")}</span>
          <textarea dir="auto" rows="8" .value=${this.#text} @input=${(e) => this.#type(e.target.value)}></textarea>
          <small>${t("You can also drop a file here.")}</small></label>
        <div class="row">
          <button class="action" ?disabled=${!this.#text.trim()}>${t("Preview")}</button>
          <label class="action plain file-choice">${t("Choose a file")}<input class="hidden" type="file" accept=".md,.txt,text/markdown,text/plain" @change=${(e) => this.#chosen(e)}></label>
        </div>
        <p class="faint" role="status">${this.#busy ? t("Reading…") : ""}</p>
      </form>`;
  }

  // consent lets only that be imported which was looked at.
  #consent() {
    if (!this.#told?.dry) return nothing;
    const n = this.#told.added + this.#told.waits;
    return n ? html`<button class="action" @click=${() => this.#ask(false)}>${count(n, "Import {0} note", "Import {0} notes")}</button>`
      : html`<p>${t("There is nothing new to import.")}</p>`;
  }

  #type(text) {
    this.#text = text;
    this.#told = null;
    this.#drafts.set("text", text);
    this.#app.update();
  }

  // ask has the text imported, or only looked at, and drops what is told of another
  // text than that which is there now.
  async #ask(dry) {
    if (this.#busy) return;
    const text = this.#text;
    if (new TextEncoder().encode(text).length > LARGEST) return this.#app.tell(t("This is too long to import at once; bring it in parts."), true);
    this.#busy = true;
    this.#app.update();
    const told = await this.#app.run(() => post("/api/memory/import", { text, dry }));
    this.#busy = false;
    if (told && text === this.#text) this.#told = told;
    if (told && !dry) await this.#imported(told);
    this.#app.update();
  }

  async #imported({ added, waits }) {
    this.#text = "";
    this.#drafts.drop("text");
    await this.#store.load();
    if (added + waits) done(this.#app, this.#store, count(added + waits, "{0} note was imported.", "{0} notes were imported."));
    document.querySelector(".imported")?.focus();
  }

  #hold(e, over) {
    if (!e.dataTransfer.types.includes("Files")) return;
    e.preventDefault();
    this.#over = over;
    this.#app.update();
  }

  #dropped(e) {
    this.#hold(e, false);
    const [file] = e.dataTransfer.files;
    if (file) this.#read(file);
  }

  #chosen(e) {
    const [file] = e.target.files;
    e.target.value = "";
    if (file) this.#read(file);
  }

  // read puts a file into the field, and looks at it at once.
  async #read(file) {
    if (file.size > LARGEST) return this.#app.tell(t("This is too long to import at once; bring it in parts."), true);
    this.#type(await file.text());
    await this.#ask(true);
  }
}
