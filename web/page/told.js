import { html, nothing, problem } from "/ui.js";
import { t } from "/words.js";

// Told is something that a room shows as the server told it last.
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

  // look asks anew. A later look knows better. What was told before is shown until the
  // answer is there.
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

  // changed looks anew where what this is about is different, and it is shown. When
  // something was forgotten, nothing that was told before stays.
  async changed(topics, topic, shown = true) {
    const before = topics.includes("forgotten") ? this.is : undefined;
    if (shown && (before !== undefined || topics.includes(topic))) await this.look();
    else if (before !== undefined) this.#looks++; // what is on its way is not wanted
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

// Reading is a room that shows what the server tells it: read() asks, and told is the
// answer. While the room is shown it is read anew whenever its topic changes.
export class Reading extends Told {
  app;
  #topic;
  #here = false;

  constructor(app, topic) {
    super(app, () => this.read());
    this.app = app;
    this.#topic = topic;
  }

  get told() {
    return this.is;
  }

  enter() {
    this.#here = true;
    this.load();
  }

  leave() {
    this.#here = false;
  }

  changed(topics) {
    return super.changed(topics, this.#topic, this.#here);
  }

  look() {
    return this.load();
  }

  // load asks anew.
  load() {
    return super.look();
  }

  // state is what is to be seen beside what was told: why it cannot be read, or that
  // it is on its way.
  state() {
    return super.view(() => nothing);
  }
}
