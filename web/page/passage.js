import { get } from "/api.js";
import { Log } from "/log.js";
import { speech } from "/saying.js";
import { placeOf } from "/searching.js";
import { html, nothing, problem, repeat } from "/ui.js";
import { t } from "/words.js";

const FEW = 10, MORE = 25; // sayings on a side, at first and with each step

// Passage is the part of a conversation that stands around a message.
export class Passage {
  #app;
  #message = "";
  #log = new Log();
  #place = ""; // what it is called
  #more = { earlier: false, later: false }; // whether there may be
  #trouble = "";

  constructor(app) {
    this.#app = app;
  }

  async open(message) {
    this.#message = message;
    const log = (this.#log = new Log());
    this.#place = "";
    this.#app.update();
    this.#more = { earlier: false, later: false };
    const sayings = await this.#read(message, FEW);
    if (!sayings || log !== this.#log) return;
    log.merge(sayings);
    for (const e of log.entries) e.marked = e.message === message;
    const at = sayings.findIndex((s) => nameOf(s) === message);
    this.#more = { earlier: at >= FEW, later: sayings.length - at > FEW };
    await this.#show();
    document.querySelector(".marked")?.scrollIntoView({ block: "center" });
  }

  // read asks for what stands around a message, each many on each side; undefined if
  // there is none.
  async #read(message, each) {
    try {
      const { place, sayings } = await get("/api/history/around", { message, each });
      this.#place = placeOf(place, sayings[0]?.elsewhere);
      this.#trouble = "";
      return sayings;
    } catch (e) {
      this.#trouble = e.message;
      this.#app.update();
      return undefined;
    }
  }

  // grow adds what stands before, or after. What is in sight stays where it is.
  async #grow(side) {
    const log = this.#log, n = log.entries.length;
    const edge = nameOf(log.entries.at(side === "earlier" ? 0 : -1));
    const sayings = await this.#read(edge, MORE);
    if (!sayings || log !== this.#log) return;
    const main = document.getElementById("main");
    const below = main.scrollHeight - main.scrollTop;
    const at = sayings.findIndex((s) => nameOf(s) === edge);
    if (side === "earlier") log.before(sayings.slice(0, at));
    else log.merge(sayings.slice(at));
    this.#more[side] = log.entries.length >= n + MORE;
    await this.#show();
    if (side === "earlier") main.scrollTop = main.scrollHeight - below;
  }

  #show() {
    this.#app.update();
    return null; // and when that is awaited, it is shown
  }

  view() {
    return html`
      <p class="back"><a href="/history">${t("Back to the search")}</a></p>
      <h2 tabindex="-1">${this.#place ? t("What was said: {0}", this.#place) : t("What was said")}</h2>
      ${problem(this.#trouble)}
      ${this.#step("earlier", t("What was said before"))}
      <ol class="speech">${repeat(speech(this.#log.entries, {}), (s) => s.key, (s) => s.view)}</ol>
      ${this.#step("later", t("What was said after"))}`;
  }

  #step(side, name) {
    return this.#more[side] ? html`<p class="step"><button class="quiet" @click=${() => this.#grow(side)}>${name}</button></p>` : nothing;
  }
}

// nameOf is by what something that was said is found again: its own name, or that of
// the message which it answers.
function nameOf({ message, turn }) {
  return message || turn;
}
