import { ask, lines, Problem, sentence } from "/api.js";
import { sizeOf } from "/attached.js";
import { done } from "/change.js";
import { copyButton } from "/copy.js";
import { Drafts } from "/drafts.js";
import { outcome, some } from "/imported.js";
import { save } from "/saving.js";
import { html, nothing } from "/ui.js";
import { count, t } from "/words.js";

// Moving is the room for what was said to other assistants and what they know, and for
// taking all that is here elsewhere.
export class Moving {
  #app;
  #store;
  #drafts = new Drafts("moving");
  #text;
  #file = null; // in place of the text
  #told = null; // what would become of it, or did
  #work = null; // the AbortController of an import that is under way
  #far = null; // how far that is, as the server tells it
  #over = false; // a file is held over the field

  constructor(app, store) {
    this.#app = app;
    this.#store = store;
    this.#text = this.#drafts.get("text") ?? "";
  }

  // changed forgets what is told and may not be right any more. A text is looked at
  // anew; a file, which may be large, only when it is imported.
  changed(topics) {
    if (topics.includes("forgotten") && !this.#told?.dry) this.#told = null;
    if (topics.includes("memory") && this.#told?.dry && !this.#file) this.#ask(true);
  }

  view() {
    return html`
      <div class="keeping">
        <h2 tabindex="-1">${t("Import and export")}</h2>
        <h3>${t("Bring over what another assistant knows about you")}</h3>
        ${this.#question()}
        ${this.#form()}
        ${this.#told ? outcome(this.#told) : nothing}
        ${this.#consent()}
        <h3>${t("Take everything with you")}</h3>
        <p>${t("One Markdown file with all notes, the words they rest on, and the archive. What you have forgotten later is gone here, but not from copies that were downloaded before.")}</p>
        <a class="action link" href="/api/memory/export" download="nacre-memory.md" @click=${(e) => this.#export(e)}>${t("Download everything")}</a>
        <p>${t("Or an archive of all that is yours, what was said and what is planned too, which can be imported again.")}</p>
        <a class="action plain link" href="/api/export/archive" download="nacre-archive.zip">${t("Download the archive")}</a>
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
      <blockquote class="prompt"><p>${prompt}</p>${copyButton(this.#app, prompt)}</blockquote>
      <p>${t("Or bring files: an export of ChatGPT or Claude, what Nuggets, nanobot, Nuum, Nod, OpenClaw or Hermes keep, an archive of Nacre, or a zip of any of these.")}</p>`;
  }

  #form() {
    const busy = this.#work !== null;
    return html`
      <form class=${this.#over ? "drop over" : "drop"} @submit=${(e) => (e.preventDefault(), this.#ask(true))}
        @dragover=${(e) => this.#hold(e, true)} @dragleave=${(e) => this.#hold(e, false)} @drop=${(e) => this.#dropped(e)}>
        ${this.#file ? html`<p class="card"><bdi>${this.#file.name}</bdi> <span class="faint">${sizeOf(this.#file.size)}</span>
            <button class="quiet" type="button" @click=${() => this.#take(null)}>${t("Take it away")}</button></p>`
          : html`<label class="field"><span>${t("What it answered")}</span>
          <textarea dir="auto" rows="8" .value=${this.#text} @input=${(e) => this.#type(e.target.value)}></textarea>
          <small>${t("You can also drop a file here.")}</small></label>`}
        <div class="row">
          <button class="action" ?disabled=${busy || !(this.#file || this.#text.trim())}>${t("Preview")}</button>
          <label class="action plain file-choice">${t("Choose a file")}<input class="hidden" type="file" @change=${(e) => this.#chosen(e)}></label>
          ${busy ? html`<button class="action plain" type="button" @click=${() => this.#work.abort()}>${t("Cancel")}</button>` : nothing}
        </div>
        <p class="faint" role="status">${busy ? t("Reading…") : ""}</p>
        ${busy ? html`<progress aria-label=${t("Reading…")} max="1" value=${this.#far?.all ? this.#far.done / this.#far.all : nothing}></progress>` : nothing}
      </form>`;
  }

  // consent lets only that be imported which was looked at.
  #consent() {
    if (!this.#told?.dry || this.#work) return nothing;
    const { added } = this.#told;
    if (!some(this.#told)) return html`<p>${t("There is nothing new to import.")}</p>`;
    return html`<button class="action" @click=${() => this.#ask(false)}>${some({ added }) && !some({ ...this.#told, added: 0 }) ? count(added, "Import {0} note", "Import {0} notes") : t("Import all of this")}</button>`;
  }

  #type(text) {
    this.#text = text;
    this.#drafts.set("text", text);
    this.#take(null);
  }

  // take makes a file what is to be imported; null leaves the text.
  #take(file) {
    this.#work?.abort();
    this.#file = file;
    this.#told = null;
    this.#app.update();
  }

  // ask has what is there imported, or only looked at, and drops what is told of
  // something else than that which is there now.
  async #ask(dry) {
    if (this.#work) return;
    const [file, text] = [this.#file, this.#text];
    this.#work = new AbortController();
    this.#app.update();
    const told = await this.#app.run(() => this.#import(file ?? new Blob([text]), file?.name ?? "", dry, this.#work.signal));
    this.#work = this.#far = null;
    if (told && file === this.#file && text === this.#text) this.#told = told;
    if (told && !dry) await this.#imported(told);
    this.#app.update();
  }

  // import sends it and hears how far it is. It returns nothing where it was stopped.
  async #import(body, name, dry, signal) {
    try {
      const asked = new URLSearchParams({ name, size: body.size, dry });
      for await (const { progress, imported, problem } of lines(await ask("POST", "/api/import?" + asked, body, signal))) {
        if (imported) return imported;
        if (problem) throw new Problem(problem.kind, sentence(t(problem.text)));
        this.#far = progress;
        this.#app.update();
      }
    } catch (e) {
      if (!signal.aborted) throw e;
    }
    if (!signal.aborted) throw new Problem("away", t("Nacre does not answer. Try again when it runs."));
    if (!dry) this.#app.tell(t("Stopped. What was imported before stays; to go on, import the same again."));
  }

  async #imported(told) {
    if (!this.#file) {
      this.#text = "";
      this.#drafts.drop("text");
    }
    this.#file = null;
    await this.#store.load();
    if (told.added) done(this.#app, this.#store, count(told.added, "{0} note was imported.", "{0} notes were imported."));
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
    this.#read(e.dataTransfer.files);
  }

  #chosen(e) {
    this.#read(e.target.files);
    e.target.value = "";
  }

  // read looks at a file at once.
  #read([file]) {
    if (!file) return;
    this.#take(file);
    queueMicrotask(() => this.#ask(true));
  }
}
