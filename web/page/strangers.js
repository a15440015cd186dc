import { get, post } from "/api.js";
import { channelName } from "/place.js";
import { Told } from "/told.js";
import { html, nothing, repeat, sure } from "/ui.js";
import { hour, moment, t } from "/words.js";

// Strangers is the part of the room of channels where the operator sees who wrote,
// was shown a code and waits, and says who may come in.
export class Strangers {
  #app;
  #waiting;
  #busy = new Set(); // ids of those of whom it is being decided
  #code = ""; // with which an app of the operator joins; empty until they asked for one
  #error = ""; // what is wrong with the code that they typed

  constructor(app) {
    this.#app = app;
    this.#waiting = new Told(app, async () => (await get("/api/strangers")) ?? []);
  }

  async look() {
    await this.#waiting.look();
  }

  view() {
    return html`
      <section aria-labelledby="who">
        <h2 id="who" tabindex="-1">${t("Who may come in")}</h2>
        ${this.#waiting.view((all) => (all.length === 0 ? html`<p>${t("Nobody waits. Whoever writes to Nacre for the first time is shown a code, and waits here for an hour.")}</p>` : html`
          <ul id="strangers" class="card rows">${repeat(all, (s) => s.id, (s) => this.#row(s))}</ul>`))}
        <details class="card">
          <summary>${t("With a code")}</summary>
          ${this.#admission()}
          ${this.#joining()}
        </details>
      </section>`;
  }

  #row(s) {
    const busy = this.#busy.has(s.id);
    return html`
      <li>
        <div>
          <strong>${channelName(s.channel)} <bdi>${s.address}</bdi></strong>
          <p>${t("Wrote on {0}. The code is good until {1}.", moment(s.came), hour(s.until))}</p>
        </div>
        <div class="row">
          <button class="action" ?disabled=${busy} @click=${() => this.#admit(s)}>${t("Admit")}</button>
          <button class="action plain" ?disabled=${busy} @click=${() => this.#decide(s, false)}>${t("Refuse")}</button>
        </div>
      </li>`;
  }

  // admit warns before somebody is let in.
  async #admit(s) {
    const yes = await sure({
      title: t("Admit {0}?", nameOf(s)),
      body: html`
        <p>${t("They can then talk with Nacre as you do, and what they use of language models costs your money. Nacre keeps a memory for them that only they can see, and shows them nothing of yours.")}</p>
        <p>${t("Ask them for their code if you do not know whose number this is. Anybody can write.")}</p>`,
      yes: t("Admit"),
    });
    if (yes) await this.#decide(s, true);
  }

  async #decide(s, admit) {
    this.#busy.add(s.id);
    const done = await this.#app.run(() => post("/api/strangers/decide", { id: s.id, admit }));
    this.#busy.delete(s.id);
    if (done) this.#app.tell(admit ? t("{0} is admitted.", nameOf(s)) : t("{0} is refused, and not told so.", nameOf(s)));
    await this.#waiting.look();
    document.getElementById("who")?.focus(); // the button that had the focus is gone
  }

  // admission lets somebody in who told their code.
  #admission() {
    return html`
      <form class="ask" @submit=${(e) => this.#typed(e)}>
        <label for="pair-code">${t("Admit somebody who told you their code")}</label>
        <div class="row">
          <input id="pair-code" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"
            aria-invalid=${this.#error ? "true" : nothing} aria-describedby="pair-error">
          <button class="action plain">${t("Admit")}</button>
        </div>
        <p id="pair-error" class="bad" role="alert">${this.#error}</p>
      </form>`;
  }

  async #typed(e) {
    e.preventDefault();
    const field = e.target.querySelector("input");
    try {
      const { text } = await post("/api/pair", { code: field.value });
      this.#error = "";
      field.value = "";
      this.#app.tell(t(text));
      await this.#waiting.look();
    } catch (problem) {
      this.#error = problem.message;
      field.focus();
    }
    this.#app.update();
  }

  // joining makes one more app of the operator theirs.
  #joining() {
    return html`
      <p>${t("Or let another app of yours in as you: it asks for no memory of its own.")}
        <button class="quiet" type="button" @click=${() => this.#join()}>${t("Show a code to join with")}</button></p>
      ${this.#code ? html`<p class="note" role="status">${t("Send me this there, within an hour:")} <code class="secret">${this.#code}</code></p>` : nothing}`;
  }

  async #join() {
    const answer = await this.#app.run(() => post("/api/pair"));
    if (answer) this.#code = answer.text.split("\n").at(-1);
    this.#app.update();
  }
}

function nameOf(s) {
  return `${channelName(s.channel)} ${s.address}`;
}
