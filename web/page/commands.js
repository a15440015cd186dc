import { html, nothing } from "/ui.js";
import { t } from "/words.js";

// Commands offers the commands of the chat below a slash that begins a message, as a
// list that the keys of the field lead through.
export class Commands {
  #all;
  #found = [];
  #at = 0; // of the one in the hand
  #choose;
  #update;

  // all gives the commands; choose is called with the text that one of them makes.
  constructor(all, choose, update) {
    this.#all = all;
    this.#choose = choose;
    this.#update = update;
  }

  // type looks at what stands in the field.
  type(text) {
    const word = /^\/(\w*)$/.exec(text)?.[1].toLowerCase();
    this.#found = word === undefined ? [] : this.#all().filter((c) => c.name.startsWith(word));
    this.#at = 0;
    this.#update();
  }

  close() {
    this.#found = [];
    this.#update();
  }

  // key takes a key of the field; false leaves it to the field. One who typed a whole
  // command sends it with Enter.
  key(e, text) {
    const n = this.#found.length;
    if (!n) return false;
    if (e.key === "Escape") this.close();
    else if (e.key === "ArrowDown") this.#move((this.#at + 1) % n);
    else if (e.key === "ArrowUp") this.#move((this.#at + n - 1) % n);
    else if ((e.key === "Tab" && !e.shiftKey) || (e.key === "Enter" && text !== "/" + this.#found[this.#at].name)) this.#take(this.#found[this.#at]);
    else return false;
    return true;
  }

  // active is the id of the option in the hand; empty if none is offered.
  get active() {
    return this.#found.length ? "command-" + this.#found[this.#at].name : "";
  }

  view() {
    if (!this.#found.length) return nothing;
    return html`<ul id="commands" role="listbox" aria-label=${t("Commands")}>${this.#found.map((c, n) => html`
        <li id=${"command-" + c.name} role="option" aria-selected=${n === this.#at} @pointerdown=${(e) => e.preventDefault()} @click=${() => this.#take(c)}>
          <b>/${c.name}</b>${c.args ? html` <i>${t(c.args)}</i>` : nothing} <span>${t(c.help)}</span></li>`)}
      </ul>`;
  }

  #move(to) {
    this.#at = to;
    this.#update();
    queueMicrotask(() => document.getElementById(this.active)?.scrollIntoView({ block: "nearest" }));
  }

  #take(command) {
    this.#choose("/" + command.name + (command.args ? " " : ""));
    this.close();
  }
}
