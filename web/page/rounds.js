import { get, post } from "/api.js";
import { phrases } from "/runs.js";
import { Told } from "/told.js";
import { html, nothing } from "/ui.js";
import { count, moment, t } from "/words.js";

const ROUNDS = [
  { id: "reflect", name: () => t("Reading back"), what: () => t("reads what you said and notes what is worth it; a model does it") },
  { id: "promote", name: () => t("Pinning notes"), what: () => t("pins the notes that keep being used, so that they are always at hand") },
  { id: "repair", name: () => t("Tidying up memory"), what: () => t("lets go of what ran out, and mends what was left half done") },
  { id: "style", name: () => t("Learning how you write"), what: () => t("reads what you sent by Gmail, once a week, if it is connected; a model does it") },
];

// Rounds is the part of the room of jobs with what Nacre does by itself every hour:
// each can be done now, and messages that could not be read back are read again.
export class Rounds {
  #app;
  #done; // called when one was
  #busy = ""; // the id of the one that is being done
  #news = ""; // what came of the last
  #aside;

  constructor(app, done) {
    this.#app = app;
    this.#done = done;
    this.#aside = new Told(app, async () => (await get("/api/jobs/aside")) ?? []);
  }

  look() {
    return this.#aside.look();
  }

  changed(topics, topic) {
    return this.#aside.changed(topics, topic);
  }

  view() {
    return html`
      <section aria-labelledby="rounds">
        <h2 id="rounds">${t("What Nacre does by itself")}</h2>
        <p>${t("Every hour, and without a word to you.")}</p>
        <ul class="card rows">${ROUNDS.map((r) => html`
          <li>
            <div><strong>${r.name()}</strong><p>${r.what()}</p></div>
            ${this.#button(r.id, t("Do it now"), r.name(), () => post("/api/jobs/round", { round: r.id }))}
          </li>`)}</ul>
        <p class="said" role="status">${this.#news}</p>
        ${this.#aside.is?.length ? this.#asideView(this.#aside.is) : nothing}
      </section>`;
  }

  #button(id, name, what, work) {
    const busy = this.#busy === id;
    return html`<button class="quiet" aria-busy=${busy ? "true" : nothing} aria-label="${name}: ${what}" @click=${() => this.#run(id, what, work)}>${busy ? t("Working…") : name}</button>`;
  }

  // run does one at a time, which may take minutes.
  async #run(id, what, work) {
    if (this.#busy) return;
    this.#busy = id;
    this.#news = t("{0}: being done, which may take minutes.", what);
    this.#app.update();
    const text = await this.#app.run(work);
    this.#busy = "";
    this.#news = text ? phrases(text) : "";
    this.#app.update();
    this.#done();
  }

  #asideView(batches) {
    return html`
      <div class="card">
        <h3>${t("Set aside")}</h3>
        <p>${t("These messages could not be read back. Nothing of them was noted.")}</p>
        <ul class="runs">${batches.map((b) => html`
          <li><time datetime=${b.at}>${moment(b.at)}</time>
            <div>${count(b.through - b.first + 1, "{0} message", "{0} messages")} <span class="mark bad">${t(b.words)}</span> <small>${count(b.failures, "tried once", "tried {0} times")}</small></div></li>`)}</ul>
        ${this.#button("again", t("Read them again"), t("Set aside"), () => post("/api/jobs/again"))}
      </div>`;
  }
}
