import { html, nothing, problem } from "/ui.js";
import { t } from "/words.js";

// Reading is a room that shows what the server tells it: read() asks, and told is the
// answer. While the room is shown it is read anew whenever its topic changes.
export class Reading {
  app;
  told = null; // until the first answer
  #topic;
  #here = false;
  #error = "";
  #asked = 0;

  constructor(app, topic) {
    this.app = app;
    this.#topic = topic;
  }

  enter() {
    this.#here = true;
    this.load();
  }

  leave() {
    this.#here = false;
  }

  changed(topics) {
    if (topics.includes("forgotten")) this.#renew();
    else if (this.#here && topics.includes(this.#topic)) this.load();
  }

  // renew lets go of what was told.
  async #renew() {
    const before = this.told;
    if (this.#here) await this.load();
    else this.#asked++; // what is on its way is not wanted
    if (this.told === before) this.told = null;
    this.app.update();
  }

  // load asks anew. What was told before is shown until the answer is there; of
  // answers that overtake each other that to the last question counts.
  async load() {
    const turn = ++this.#asked;
    try {
      const told = await this.read();
      if (turn !== this.#asked) return;
      this.told = told;
      this.#error = "";
    } catch (e) {
      if (turn !== this.#asked) return;
      this.#error = e.message;
    }
    this.app.update();
  }

  // state is what is to be seen beside what was told: why it cannot be read, or that
  // it is on its way.
  state() {
    if (this.#error) return problem(this.#error, () => this.load());
    return this.told ? nothing : html`<p class="empty">${t("Loading…")}</p>`;
  }
}
