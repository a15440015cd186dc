import { get } from "/api.js";
import { field, html, live, nothing, problem } from "/ui.js";
import { t } from "/words.js";
import { date } from "/labels.js";

const PAUSE = 150; // milliseconds after which a day counts as chosen
const DAY = 24 * 60 * 60 * 1000;

// Past is memory as it was on another day. Only looking is possible there.
export class Past {
  day = ""; // looked at, as "2026-05-01"; empty for now
  listing = null; // of that day; null until it is loaded
  #kind = "known_at"; // or as_of
  #error = "";
  #app;
  #store;
  #timer = 0;
  #asked = null; // AbortController of what is being asked

  constructor(app, store) {
    this.#app = app;
    this.#store = store;
  }

  // load reads the day that is looked at.
  async load() {
    this.#asked?.abort();
    if (!this.day) return;
    const asked = (this.#asked = new AbortController());
    try {
      this.listing = await get("/api/memory", { which: "all", [this.#kind]: this.day }, asked.signal);
      this.#error = "";
    } catch (e) {
      if (!asked.signal.aborted) this.#error = e.message;
    }
    this.#app.update();
  }

  // leave comes back to now.
  leave() {
    this.#look("");
  }

  #look(day) {
    clearTimeout(this.#timer);
    this.day = day >= this.#today() ? "" : day;
    if (!this.day) this.listing = null;
    this.#timer = setTimeout(() => this.load(), PAUSE);
    this.#app.update();
  }

  #choose(kind) {
    this.#kind = kind;
    this.load();
  }

  #today() {
    return inZone(Date.now(), this.#app.me.zone);
  }

  // banner says plainly that this is not now.
  banner() {
    if (!this.day) return nothing;
    const day = date(this.day);
    return html`<div class="past note" role="status">
      <p>${this.#kind === "known_at" ? t("This is what Nacre knew on {0}. It can be looked at and not changed.", day) : t("This is what was true on {0}, as Nacre knows it today. It can be looked at and not changed.", day)}</p>
      <button class="quiet" @click=${() => this.leave()}>${t("Back to now")}</button>
    </div>`;
  }

  view() {
    const [first, today] = [this.#first(), this.#today()];
    const days = between(first, today);
    const day = this.day || today;
    return html`<details class="look">
      <summary>${t("Look back")}</summary>
      ${days < 1 ? html`<p>${t("Memory began today. From tomorrow on you can see here what it was like on an earlier day.")}</p>` : html`
        <fieldset>
          <legend class="hidden">${t("What to look at")}</legend>
          ${this.#radio("known_at", t("What Nacre knew on that day"))}
          ${this.#radio("as_of", t("What was true on that day, as far as it knows today"))}
        </fieldset>
        <input type="range" min="0" max=${days} .value=${live(String(between(first, day)))} aria-label=${t("Day")} aria-valuetext=${this.day ? date(day) : t("now")}
          @input=${(e) => this.#look(later(first, Number(e.target.value)))}>
        <p class="ends"><span>${date(first)}</span><span>${t("now")}</span></p>
        ${field(t("On this day"), html`<input type="date" min=${first} max=${today} .value=${live(day)} @change=${(e) => this.#look(e.target.value || today)}>`)}`}
      ${problem(this.#error, () => this.load())}
    </details>`;
  }

  #radio(kind, text) {
    return html`<label class="field check"><input type="radio" name="past" .checked=${live(this.#kind === kind)} @change=${() => this.#choose(kind)}> <span>${text}</span></label>`;
  }

  // first is the day on which memory began.
  #first() {
    const since = this.#store.listing?.since;
    return since ? inZone(since, this.#app.me.zone) : this.#today();
  }
}

// inZone is the day that an instant is of, in a zone.
function inZone(instant, zone) {
  return new Date(instant).toLocaleDateString("sv", { timeZone: zone || undefined }); // Swedish dates are ISO dates
}

function between(first, day) {
  return Math.round((Date.parse(day) - Date.parse(first)) / DAY);
}

function later(day, days) {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}
