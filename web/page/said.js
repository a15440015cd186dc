import { post } from "/api.js";
import { channelName } from "/labels.js";
import { html, nothing, problem } from "/ui.js";
import { count, moment, t } from "/words.js";

const PAUSE = 250; // milliseconds without a key stroke after which the words count as typed
const MOST = 20; // places that are shown at once

// Said finds what was said in the owner's chats, as they type.
export class Said {
  #app;
  #words = "";
  #found = null; // as the server gives it; null until then
  #error = "";
  #timer = 0;
  #asked = null; // AbortController of what is being asked

  constructor(app) {
    this.#app = app;
  }

  // look finds words once nobody types any more.
  look(words) {
    if (words.trim() === this.#words) return;
    this.#words = words.trim();
    this.renew();
  }

  // renew lets go of what was found, and looks again.
  renew() {
    this.#found = null;
    this.#error = "";
    clearTimeout(this.#timer);
    this.#asked?.abort();
    if (this.#words) this.#timer = setTimeout(() => this.#ask(""), PAUSE);
  }

  async #ask(cursor) {
    const asked = (this.#asked = new AbortController());
    try {
      const found = await post("/api/history/search", { words: this.#words, most: MOST, cursor }, asked.signal);
      this.#found = cursor ? { ...found, hits: [...this.#found.hits, ...found.hits] } : found;
      this.#error = "";
    } catch (e) {
      if (asked.signal.aborted) return;
      this.#error = e.message;
    }
    this.#app.update();
  }

  view() {
    if (!this.#words) return nothing;
    return html`<section class="said" aria-labelledby="said">
      <h3 id="said" tabindex="-1">${t("In what was said")}</h3>
      ${problem(this.#error, () => this.#ask(""))}
      ${this.#found ? this.#hits() : this.#error ? nothing : html`<p class="faint">${t("Searching…")}</p>`}
    </section>`;
  }

  #hits() {
    const { hits, total, next, complete } = this.#found;
    return html`
      <p class="faint" role="status">${total ? count(total, "{0} message", "{0} messages") : t("Nothing was said in these words.")}${complete ? "" : " " + t("Older messages are still being read.")}</p>
      <ul>${hits.map(hit)}</ul>
      ${next ? html`<button class="quiet" @click=${() => this.#ask(next)}>${t("Show more")}</button>` : nothing}`;
  }
}

// hit is one message, with the way to it. An answer of Nacre's has none of its own.
function hit(h) {
  const when = moment(h.sent);
  return html`<li>
    <p dir="auto">${h.text}</p>
    <p class="faint">${h.message ? html`<a href=${"/history/" + h.message}>${when}</a>` : when}, ${h.elsewhere ? t("a chat with {0}", h.elsewhere) : channelName(h.place.channel)}, ${who(h)}</p></li>`;
}

function who(h) {
  return { you: t("you"), nacre: "Nacre", others: h.name }[h.who] ?? t("others");
}
