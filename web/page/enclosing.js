// The files that were chosen to go with the next message.

import { SHOWN, sizeOf } from "/attached.js";
import { html, nothing, repeat } from "/ui.js";
import { t } from "/words.js";

const MOST = 10, LARGEST = 10; // files of one message, megabytes of all of them

export class Enclosing {
  #update;
  #trouble = ""; // why something was not taken
  #chosen = []; // {key, name, size, mime, data}; without data while it is being read
  #keys = 0;

  // read resolves when all that were chosen are read.
  read = Promise.resolve();

  constructor(update) {
    this.#update = update;
  }

  get some() {
    return this.#chosen.length > 0;
  }

  // add takes what was chosen, dropped or pasted, as far as there is room. It is read
  // at once: a file may be another when the message is sent.
  add(files) {
    if (!files.length) return;
    this.#trouble = "";
    for (const file of files) {
      const wrong = this.#wrong(file);
      if (wrong) this.#trouble = wrong;
      else this.#take(file);
    }
    this.#update();
  }

  // wrong is why a file cannot be sent; empty if it can.
  #wrong({ size }) {
    if (!size) return t("A file that is empty cannot be sent.");
    const sum = this.#chosen.reduce((n, f) => n + f.size, size);
    const fits = this.#chosen.length < MOST && sum <= LARGEST * 2 ** 20;
    return fits ? "" : t("One message takes at most {0} files, of {1} MB together.", MOST, LARGEST);
  }

  #take(file) {
    const one = { key: this.#keys++, name: file.name || t("file"), size: file.size, mime: file.type };
    this.#chosen.push(one);
    this.read = Promise.all([this.read, this.#read(one, file)]);
  }

  async #read(one, file) {
    try {
      one.data = await base64(file);
    } catch {
      this.#drop(one); // a folder, or gone
      this.#trouble = t("{0} cannot be read.", one.name);
    }
    this.#update();
  }

  // files are the chosen ones, as {name, data}.
  get files() {
    return this.#chosen.map(({ name, data }) => ({ name, data }));
  }

  clear() {
    this.#chosen = [];
    this.#trouble = "";
  }

  #drop(one) {
    this.#chosen = this.#chosen.filter((f) => f !== one);
  }

  // remove takes one away. The focus goes to the next, and then back to the field.
  #remove(e, one) {
    const { nextElementSibling: after, previousElementSibling: before } = e.target.closest("li");
    (after ?? before)?.querySelector("button").focus();
    if (!after && !before) document.getElementById("words").focus();
    this.#drop(one);
    this.#trouble = "";
    this.#update();
  }

  view() {
    return html`${this.some ? this.#chips() : nothing}
      <p id="unfit" role="alert" ?hidden=${!this.#trouble}>${this.#trouble}</p>`;
  }

  #chips() {
    return html`<ul id="chosen" aria-label=${t("Files to send")} aria-live="polite">${repeat(this.#chosen, (f) => f.key, (f) => this.#chip(f))}</ul>`;
  }

  #chip(one) {
    return html`<li>
        ${one.data && SHOWN.has(one.mime) ? html`<img src="data:${one.mime};base64,${one.data}" alt="">` : nothing}
        <span class="name" dir="auto">${one.name}</span> <span class="size">${sizeOf(one.size)}</span>
        <button type="button" aria-label=${t("Remove {0}", one.name)} @click=${(e) => this.#remove(e, one)}>✕</button></li>`;
  }
}

// base64 reads a file as it is written in JSON.
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
