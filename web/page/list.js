// A list of any length, of which only what can be seen is in the page.

import { html, render, repeat } from "/ui.js";

const SPARE = 4; // rows beyond what can be seen, on either side
const LEAP = 8; // rows that the keys of a page go

// LongList shows what its property holds: {items, row, place}. Items have ids; row(item,
// tabindex) is a link that is as high as the others; place, which outlives the element,
// is where the list stands: {scroll, at}. It scrolls with whatever it stands in. One
// row at a time can be reached by Tab, the others by arrows, Home and End.
class LongList extends HTMLElement {
  #holds = { items: [], row: null, place: { scroll: 0, at: 0 } };
  #row = 0; // height of a row in pixels
  #due = false;
  #look = () => this.#later();

  constructor() {
    super();
    this.addEventListener("keydown", (e) => this.#key(e));
    this.addEventListener("focusin", (e) => (this.#holds.place.at = Number(e.target.closest("li").ariaPosInSet) - 1));
  }

  set holds(value) {
    const focused = this.contains(document.activeElement) && this.#holds.items[this.#holds.place.at]?.id;
    this.#holds = value;
    const { items, place } = value;
    const at = focused ? items.findIndex((item) => item.id === focused) : place.at;
    place.at = Math.max(0, Math.min(at < 0 ? place.at : at, items.length - 1));
    if (!this.isConnected) return;
    this.#draw();
    if (focused && !this.contains(document.activeElement)) this.#focus();
  }

  connectedCallback() {
    document.addEventListener("scroll", this.#look, { capture: true, passive: true });
    addEventListener("resize", this.#look);
    this.#draw();
    this.#scroller().scrollTop = this.#holds.place.scroll;
    this.#draw();
  }

  disconnectedCallback() {
    document.removeEventListener("scroll", this.#look, { capture: true });
    removeEventListener("resize", this.#look);
  }

  // top shows the first row again.
  top() {
    this.#holds.place.at = 0;
    this.#scroller().scrollTop = 0;
    this.#draw();
  }

  // begin puts the focus on the first row.
  begin() {
    this.#move(0);
  }

  // resume is back where the list was left.
  resume() {
    this.#scroller().scrollTop = this.#holds.place.scroll;
    this.#draw();
    this.#focus();
  }

  #later() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      if (!this.isConnected) return;
      this.#holds.place.scroll = this.#scroller().scrollTop;
      this.#draw();
    });
  }

  #draw() {
    const { items, row, place } = this.#holds;
    this.#row = parseFloat(getComputedStyle(this).getPropertyValue("--row")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.style.height = items.length * this.#row + "px";
    const top = this.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(-top / this.#row) - SPARE);
    const last = Math.min(items.length, Math.ceil((innerHeight - top) / this.#row) + SPARE);
    const seen = new Set(items.length ? [place.at] : []);
    for (let i = first; i < last; i++) seen.add(i);
    render(html`<ul role="list">${repeat([...seen].sort((a, b) => a - b), (i) => items[i].id, (i) => html`
      <li .style=${`top: ${i * this.#row}px`} aria-setsize=${items.length} aria-posinset=${i + 1}>${row(items[i], i === place.at ? 0 : -1)}</li>`)}</ul>`, this);
  }

  #key(e) {
    const { items, place } = this.#holds;
    const to = { ArrowDown: place.at + 1, ArrowUp: place.at - 1, PageDown: place.at + LEAP, PageUp: place.at - LEAP, Home: 0, End: items.length - 1 }[e.key];
    if (to === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    this.#move(Math.max(0, Math.min(to, items.length - 1)));
  }

  #move(to) {
    this.#holds.place.at = to;
    this.#draw();
    this.#focus();
    this.#draw();
  }

  #focus() {
    const row = this.querySelector(`li[aria-posinset="${this.#holds.place.at + 1}"]`);
    row?.querySelector("a").focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  // scroller is what the list moves in.
  #scroller() {
    let box = this.parentElement;
    while (box !== document.documentElement && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    return box;
  }
}

customElements.define("long-list", LongList);
