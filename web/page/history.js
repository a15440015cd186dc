import { Passage } from "/passage.js";
import { Searching } from "/searching.js";

// History is the room of all that was said, on whatever channel: a search, and with
// the id of a message behind its path the conversation around it.
export class History {
  #search;
  #passage;
  #rest = "";

  constructor(app) {
    this.#search = new Searching(app);
    this.#passage = new Passage(app);
  }

  enter(rest) {
    this.#rest = rest;
    if (rest) this.#passage.open(rest);
    else this.#search.open();
  }

  changed(topics) {
    if (!topics.includes("forgotten")) return;
    this.#search.renew();
    if (this.#rest) this.#passage.open(this.#rest);
  }

  focus() {
    const heading = document.querySelector("#main h2");
    if (this.#rest) heading.focus({ preventScroll: true });
    else document.querySelector("#main input").focus();
  }

  view() {
    return this.#rest ? this.#passage.view() : this.#search.view();
  }
}
