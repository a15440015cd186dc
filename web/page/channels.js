import { get } from "/api.js";
import { channelName, channelWords } from "/place.js";
import { Told } from "/told.js";
import { Strangers } from "/strangers.js";
import { html, nothing } from "/ui.js";
import { WhatsApp } from "/whatsapp.js";
import { t } from "/words.js";

const AGAIN = 5_000; // milliseconds between two looks at the channels
const SETTLED = 1_000; // milliseconds after which the server has done what it does behind an answer

// Channels is the room of the ways to talk with Nacre: how they are, who waits to be
// admitted, and WhatsApp. It is the operator's.
export class Channels {
  #status;
  #strangers;
  #whatsapp;
  #here = false;
  #timer = 0;

  constructor(app) {
    this.#whatsapp = new WhatsApp(app, () => this.#settle());
    this.#strangers = new Strangers(app);
    this.#status = new Told(app, async () => {
      const status = await get("/api/status");
      this.#whatsapp.state(status.whatsapp);
      return status;
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.#look());
  }

  enter() {
    this.#here = true;
    this.#follow();
  }

  leave() {
    this.#here = false;
    clearTimeout(this.#timer);
  }

  changed(topics) {
    if (topics.includes("channels")) this.#look();
  }

  // follow looks again and again while the room can be seen: a connection that is
  // lost is no news that the server sends.
  async #follow() {
    clearTimeout(this.#timer);
    if (!document.hidden) await this.#look();
    if (this.#here) this.#timer = setTimeout(() => this.#follow(), AGAIN);
  }

  async #look() {
    if (this.#here) await Promise.all([this.#status.look(), this.#strangers.look()]);
  }

  // settle looks at once, and at what comes of a linking a little later.
  async #settle() {
    setTimeout(() => this.#look(), SETTLED);
    await this.#status.look();
  }

  view() {
    return html`
      <div>
        <h2 tabindex="-1">${t("Channels")}</h2>
        ${this.#status.view((status) => html`
          <ul id="channels" class="card rows">${this.#rows(status)}</ul>
          ${this.#strangers.view()}
          ${this.#whatsapp.view()}`)}
      </div>`;
  }

  // rows are the channels. WhatsApp does neither well nor badly while nothing is
  // linked.
  #rows({ channels, whatsapp }) {
    const name = (c) => channelName(c.name);
    return (channels ?? []).toSorted((a, b) => name(a).localeCompare(name(b))).map((c) => {
      const unlinked = c.name === "whatsapp" && !whatsapp?.linked;
      return html`
        <li>
          <strong>${name(c)}</strong>
          <span class="mark ${c.ok ? "" : "bad"}">${c.ok ? (unlinked ? nothing : t("OK")) : t("Not working")}</span>
          <p>${channelWords(c.words)}</p>
        </li>`;
    });
  }
}
