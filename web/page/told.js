import { html, nothing, problem } from "/ui.js";
import { t } from "/words.js";

// Told is something that a room shows as the server told it last. Other than a
// Reading it is no room, so that a room can have several.
export class Told {
  is = null; // null until the server told it
  error = ""; // why it could not be read last
  #app;
  #ask;
  #looks = 0; // that began

  // ask gets it from the server.
  constructor(app, ask) {
    this.#app = app;
    this.#ask = ask;
  }

  // look asks anew. A later look knows better.
  async look() {
    const mine = ++this.#looks;
    try {
      const is = await this.#ask();
      if (mine !== this.#looks) return;
      this.is = is;
      this.error = "";
    } catch (e) {
      if (mine !== this.#looks) return;
      this.error = e.message;
    }
    this.#app.update();
  }

  // changed looks anew where what this is about is different. When something was
  // forgotten, nothing that was told before stays.
  async changed(topics, topic) {
    const before = topics.includes("forgotten") ? this.is : undefined;
    if (before !== undefined || topics.includes(topic)) await this.look();
    if (before === undefined || this.is !== before) return;
    this.is = null;
    this.#app.update();
  }

  // view is what show makes of it, below what is wrong.
  view(show) {
    const known = this.is !== null;
    return html`
      ${problem(this.error, () => this.look())}
      ${known ? show(this.is) : this.error ? nothing : html`<p class="empty">${t("Loading…")}</p>`}`;
  }
}
