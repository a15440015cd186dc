import { get, post } from "/api.js";
import { Drafts } from "/drafts.js";
import { editor } from "/editor.js";
import { merge } from "/merge.js";
import { Reading } from "/told.js";
import { html, nothing, repeat, sure } from "/ui.js";
import { t } from "/words.js";

const LONGEST_MERGE = 20_000; // characters of a text that is put together with another

// Files is the room of the files that steer the assistant. What is being written is
// kept apart from what is stored, and nothing of it is lost when the file changes.
export class Files extends Reading {
  #drafts = new Drafts("files"); // {text, base, was}: what is written, on what text if that is known, of what hash

  constructor(app) {
    super(app, "files");
  }

  // read gives texts with the ends of lines that the browser writes.
  async read() {
    const files = await get("/api/files");
    return files.map((f) => ({ ...f, text: f.text.replace(/\r\n?/g, "\n") }));
  }

  // changed drops what drafts were written on when something was forgotten: it may have
  // stood there.
  changed(topics) {
    if (topics.includes("forgotten")) for (const name of this.#drafts.names()) this.#drafts.set(name, { ...this.#drafts.get(name), base: undefined });
    super.changed(topics);
  }

  view() {
    return html`
      <div class="keeping wide">
        <h2 tabindex="-1">${t("Character")}</h2>
        <p class="lead">${t("These files say what the assistant is like and what it looks after. Only you can write them: here, or with an editor of your own on disk. It does not read what stands between <!-- and -->.")}</p>
        ${this.state()}
        ${this.told ? repeat(this.told, (f) => f.name, (f) => this.#editor(f)) : nothing}
      </div>`;
  }

  #editor(file) {
    const draft = this.#draft(file);
    return editor(file, draft, {
      type: (text) => this.#type(file, draft, text),
      save: () => this.#save(file, draft?.text ?? file.text, draft?.was ?? file.hash),
      overwrite: () => this.#save(file, draft.text, file.hash),
      together: () => this.#together(file, draft),
      theirs: () => this.#drop(file, t("Take what is stored?"), t("Take it")),
      drop: () => this.#drop(file, t("Discard your changes?"), t("Discard them")),
      original: () => this.#original(file, draft),
    });
  }

  // draft is what is being written of a file; undefined where nothing is that is not
  // stored, by whatever hand.
  #draft(file) {
    const draft = this.#drafts.get(file.name) ?? undefined;
    if (!draft || (draft.text !== file.text && draft.text !== draft.base)) return draft;
    this.#drafts.drop(file.name);
    return undefined;
  }

  #type(file, draft, text) {
    this.#drafts.set(file.name, { text, base: draft ? draft.base : file.text, was: draft?.was ?? file.hash });
    this.app.update();
  }

  async #save(file, text, was) {
    const saved = await this.app.run(() => post("/api/files/write", { name: file.name, text, was }));
    if (saved) this.app.tell(t("{0} is saved.", file.name));
    await this.load();
  }

  // together puts what is written and what is stored into the editor, for the owner to
  // look at and save.
  #together(file, draft) {
    const parts = [draft.base, draft.text, file.text];
    const text = parts.some((p) => p === undefined || p.length > LONGEST_MERGE) ? null : merge(...parts);
    if (text === null) {
      this.app.tell(t("Both changed the same place, so they cannot be put together by themselves. Copy what you want of it into yours, and save that."), true);
      return;
    }
    this.#drafts.set(file.name, { text, base: file.text, was: file.hash });
    this.app.tell(t("Both are in the editor now. Look at it, and save it."));
  }

  async #drop(file, title, yes) {
    if (!(await sure({ title, body: html`<p>${t("What you wrote here is gone then.")}</p>`, yes, danger: true }))) return;
    this.#drafts.drop(file.name);
    this.app.update();
  }

  // original writes what a file said at first into the editor.
  #original(file, draft) {
    this.#type(file, draft, file.original);
    this.app.tell(t("This is the default. Save it to have it again."));
  }
}
