// Charts of days, one kind only: bars, which may be stacked. A library would weigh
// more than the whole page, and draw what the policy for styles forbids.

import { html, nothing, svg } from "/ui.js";
import { t } from "/words.js";

const HIGH = 100; // of the plot, in units of its own; its breadth is one for each day
const GAP = 0.25; // between two bars, of the breadth of one
const CROWDED = 120; // days from which on there are no gaps
const LABELS = 4; // dates below the plot

// Chart draws figures of days. An arrow key, a pointer or a finger chooses a day,
// whose figures are then said in words.
export class Chart {
  #app;
  #of; // see view
  #chosen = -1; // the index of a day; -1 for none

  constructor(app) {
    this.#app = app;
  }

  // view draws {title, summary, days, series, write, mark, top}: days are dates as
  // YYYY-MM-DD; series are {name, kind, values} with a value for each day, stacked
  // from the first; write(value) and mark(value) write one in words and at the scale;
  // top is the end of the scale, where it does not follow from the values.
  view(of) {
    this.#of = of;
    const { title, summary, days, series } = of;
    const scale = scaleOf(of.top ?? Math.max(...days.map((_, i) => sum(series, i))), of.top);
    this.#chosen = Math.min(this.#chosen, days.length - 1);
    return html`
      <figure class="chart">
        <figcaption><h3>${title}</h3><p>${summary}</p></figcaption>
        ${series.length > 1 ? html`<ul class="legend">${series.map((s) => html`<li><span class="key ${s.kind}"></span>${s.name}</li>`)}</ul>` : nothing}
        <div class="plot" role="slider" tabindex="0" aria-label=${title} aria-valuemin="0" aria-valuemax=${days.length - 1}
          aria-valuenow=${Math.max(this.#chosen, 0)} aria-valuetext=${this.#said() || summary}
          @keydown=${(e) => this.#key(e)} @pointermove=${(e) => this.#point(e)} @pointerdown=${(e) => this.#point(e)}
          @pointerleave=${() => this.#choose(-1)} @blur=${() => this.#choose(-1)}>
          <svg class="scale" aria-hidden="true">${scale.map((v) => svg`<text x="100%" y=${percent(1 - v / scale.at(-1))} dy="4">${of.mark(v)}</text>`)}</svg>
          ${this.#plot(scale)}
          <svg class="dates" aria-hidden="true">${datesOf(days).map((i) => svg`<text x=${percent(placeOf(i, days.length))} y="14" text-anchor=${anchorOf(i, days.length)}>${dateWords(days[i], { day: "numeric", month: "short" })}</text>`)}</svg>
        </div>
        <p class="readout" aria-hidden="true">${this.#said() || t("Point at a day, or use the arrow keys.")}</p>
        <details>
          <summary>${t("The same as a table")}</summary>
          ${this.#table()}
        </details>
      </figure>`;
  }

  #plot(scale) {
    const { days, series } = this.#of;
    const high = scale.at(-1);
    const base = days.map(() => 0);
    const bars = series.map((s) => {
      const path = barsOf(s.values, base, high);
      s.values.forEach((v, i) => (base[i] += v));
      return svg`<path class=${s.kind} d=${path}/>`;
    });
    return html`
      <svg class="bars" viewBox="0 0 ${days.length} ${HIGH}" preserveAspectRatio="none" aria-hidden="true">
        ${scale.map((v) => svg`<line x2=${days.length} y1=${HIGH * (1 - v / high)} y2=${HIGH * (1 - v / high)}/>`)}
        ${this.#chosen < 0 ? nothing : svg`<rect class="chosen" x=${this.#chosen} width="1" height=${HIGH}/>`}
        ${bars}
      </svg>`;
  }

  // said is the chosen day in words; empty if there is none.
  #said() {
    const { days, series, write } = this.#of;
    const i = this.#chosen;
    if (i < 0) return "";
    const figures = series.map((s) => (series.length > 1 ? `${s.name} ${write(s.values[i])}` : write(s.values[i])));
    return `${dateWords(days[i])}: ${figures.join(", ")}`;
  }

  #table() {
    const { days, series, write, title } = this.#of;
    return html`
      <div class="figures" tabindex="0" role="region" aria-label=${title}><table>
        <thead><tr><th scope="col">${t("Day")}</th>${series.map((s) => html`<th scope="col">${s.name}</th>`)}</tr></thead>
        <tbody>${days.map((d, i) => html`<tr><th scope="row">${dateWords(d)}</th>${series.map((s) => html`<td>${write(s.values[i])}</td>`)}</tr>`)}</tbody>
      </table></div>`;
  }

  #key(e) {
    const last = this.#of.days.length - 1;
    const now = this.#chosen < 0 ? last + 1 : this.#chosen;
    const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, PageDown: now - 7, PageUp: now + 7, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    this.#choose(Math.min(Math.max(to, 0), last));
  }

  #point(e) {
    const { left, width } = e.currentTarget.querySelector(".bars").getBoundingClientRect();
    const n = this.#of.days.length;
    const i = Math.floor(((e.clientX - left) / width) * n);
    this.#choose(i >= 0 && i < n ? i : -1);
  }

  #choose(i) {
    if (i === this.#chosen) return;
    this.#chosen = i;
    this.#app.update();
  }
}

// barsOf is the outline of bars that stand on a base.
function barsOf(values, base, high) {
  const gap = values.length > CROWDED ? 0 : GAP;
  const y = (v) => (HIGH * (1 - v / high)).toFixed(2);
  return values.map((v, i) => (v > 0 ? `M${i + gap / 2} ${y(base[i])}V${y(base[i] + v)}h${1 - gap}V${y(base[i])}z` : "")).join("");
}

// scaleOf is what stands at the scale: round values from 0 to one that nothing
// exceeds, three steps or so apart.
function scaleOf(most, top) {
  if (top) return [0, top / 2, top];
  const rough = (most || 1) / 3;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * [1, 2, 2.5, 5, 10].find((m) => m * unit >= rough);
  return Array.from({ length: Math.ceil((most || 1) / step) + 1 }, (_, i) => i * step);
}

// datesOf are the days that are named below the plot: the first, the last, and some
// between.
function datesOf(days) {
  const n = Math.min(LABELS, days.length);
  return Array.from({ length: n }, (_, i) => (n === 1 ? 0 : Math.round((i * (days.length - 1)) / (n - 1))));
}

// placeOf and anchorOf put a date below its day; at the ends it ends there.
function placeOf(i, n) {
  const [first, last] = [i === 0, i === n - 1];
  return first === last ? (i + 0.5) / n : Number(last);
}

function anchorOf(i, n) {
  const [first, last] = [i === 0, i === n - 1];
  return first === last ? "middle" : last ? "end" : "start";
}

function sum(series, i) {
  return series.reduce((all, s) => all + s.values[i], 0);
}

function percent(share) {
  return (100 * share).toFixed(2) + "%";
}

// dateWords is a date, which is no instant and has no zone.
export function dateWords(date, style = { dateStyle: "medium" }) {
  return new Date(date + "T00:00:00Z").toLocaleDateString(document.documentElement.lang, { ...style, timeZone: "UTC" });
}
