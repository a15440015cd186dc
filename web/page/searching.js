import { post } from "/api.js";
import { channelName } from "/place.js";
import { empty, html, nothing, problem, repeat } from "/ui.js";
import { count, moment, t } from "/words.js";

const PAUSE = 250; // milliseconds without a key stroke after which the words count as typed

// Searching finds what was said, by its words and its dates, as they are typed.
export class Searching {
  #app;
  #query = { words: "", from: "", to: "", newest: false };
  #found = null; // as the server gives it; null until something was asked
  #trouble = "";
  #timer = 0;
  #asking = null; // AbortController of what is being asked

  constructor(app) {
    this.#app = app;
  }

  // open shows what was found last as it is now; something may have been forgotten.
  open() {
    if (this.#found) this.#ask();
  }

  // renew lets go of what was found, and looks again.
  renew() {
    this.#found = null;
    this.#ask();
  }

  #type(change, pause) {
    Object.assign(this.#query, change);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), pause);
  }

  async #ask(cursor) {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    if (!this.#query.words.trim() && !this.#query.from && !this.#query.to) return this.#show(null);
    const { signal } = (this.#asking = new AbortController());
    try {
      const found = await post("/api/history/search", { ...this.#query, cursor }, signal);
      this.#show(cursor ? { ...found, hits: [...this.#found.hits, ...found.hits] } : found);
    } catch (e) {
      if (!signal.aborted) this.#show(this.#found, e.message);
    }
  }

  #show(found, trouble = "") {
    this.#found = found;
    this.#trouble = trouble;
    this.#app.update();
  }

  #submit(e) {
    e.preventDefault();
    this.#ask();
  }

  view() {
    const { words, from, to, newest } = this.#query;
    const typed = (name) => (e) => this.#type({ [name]: e.target.value }, PAUSE);
    return html`
      <h2>${t("What was said")}</h2>
      <form class="search" role="search" @submit=${(e) => this.#submit(e)}>
        <label class="field"><span>${t("Words")}</span><input type="search" .value=${words} autocomplete="off" enterkeyhint="search" dir="auto" @input=${typed("words")}></label>
        <div class="narrow">
          <label class="field"><span>${t("From")}</span><input type="date" .value=${from} max=${to || nothing} @change=${typed("from")}></label>
          <label class="field"><span>${t("To")}</span><input type="date" .value=${to} min=${from || nothing} @change=${typed("to")}></label>
          <label class="field"><span>${t("Order")}</span><select @change=${(e) => this.#type({ newest: e.target.value === "newest" }, 0)}>
            <option value="best" ?selected=${!newest}>${t("Best first")}</option>
            <option value="newest" ?selected=${newest}>${t("Newest first")}</option>
          </select></label>
        </div>
      </form>
      ${problem(this.#trouble, () => this.#ask())}
      <p role="status" class="tally">${this.#found?.total ? this.#tally() : nothing}</p>
      ${this.#hits()}`;
  }

  #tally() {
    const { total, complete } = this.#found;
    return count(total, "{0} message", "{0} messages") + (complete ? "" : " – " + t("older ones are still being read"));
  }

  #hits() {
    if (!this.#found) return this.#trouble ? nothing : empty(t("Search what you and Nacre said, in every chat."));
    const { hits, total, next } = this.#found;
    if (!total) return empty(t("Nothing was said that fits. Try fewer words, or another time."));
    return html`
      <ol class="hits">${repeat(hits, (h) => h.message ?? h.turn, hit)}</ol>
      ${next ? html`<p class="row"><button class="action plain" @click=${() => this.#ask(next)}>${t("Show more")}</button></p>` : nothing}`;
  }
}

// hit shows a message that was found. An answer is called by its turn, which has the
// name of the message that it answers.
function hit(h) {
  return html`<li class="card">
      <p class="quote" dir="auto">${h.text}</p>
      <p class="from"><span dir="auto">${speakerOf(h)}</span> · ${placeOf(h.place, h.elsewhere)} · <time datetime=${h.sent}>${moment(h.sent)}</time></p>
      <a href=${"/history/" + encodeURIComponent(h.message || h.turn)}>${t("Show in the conversation")}</a>
    </li>`;
}

function speakerOf({ who, name, strange, heard }) {
  const speaker = { you: t("You"), nacre: "Nacre", others: name ?? t("Somebody else") }[who];
  const marks = [who === "you" && strange && t("with words of others"), heard && t("from a recording")].filter(Boolean);
  return marks.length ? `${speaker} (${marks.join(", ")})` : speaker;
}

// placeOf names where something was said, perhaps to another assistant.
export function placeOf({ channel, private: alone }, assistant) {
  if (assistant) return t("a chat with {0}", assistant);
  return alone ? channelName(channel) : t("a group on {0}", channelName(channel));
}
