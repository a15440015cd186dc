import { get } from "/api.js";
import { Chart, dateWords } from "/chart.js";
import { Told } from "/told.js";
import { empty, html, nothing } from "/ui.js";
import { count, dollars, number, short, t } from "/words.js";

const SPANS = [7, 30, 90, 365]; // days
const USUAL = 30;

// Usage is the room of what language models were used for and cost. The path says
// for how many days: /usage/90.
export class Usage {
  #app;
  #usage;
  #days = USUAL;
  #everybody = false; // what all owners used, for the operator
  #cost;
  #tokens;
  #cached;

  constructor(app) {
    this.#app = app;
    this.#usage = new Told(app, () => get("/api/usage", { days: this.#days }));
    this.#cost = new Chart(app);
    this.#tokens = new Chart(app);
    this.#cached = new Chart(app);
  }

  enter(rest) {
    this.#days = SPANS.find((n) => String(n) === rest) ?? USUAL;
    this.#usage.look();
  }

  changed() {
    if (this.#usage.error) this.#usage.look();
  }

  view() {
    return html`
      <div class="wide">
        <h2 tabindex="-1">${t("Usage")}</h2>
        <nav class="subnav" aria-label=${t("How many days")}>
          ${SPANS.map((n) => html`<a href="/usage/${n}" aria-current=${n === this.#days ? "page" : nothing}>${count(n, "1 day", "{0} days")}</a>`)}
        </nav>
        ${this.#usage.view((u) => this.#shown(u))}
      </div>`;
  }

  #shown(usage) {
    const whose = this.#everybody && usage.everybody ? usage.everybody : usage;
    return html`
      ${usage.everybody ? this.#whose() : nothing}
      <div class="tiles">${tile(t("Today"), whose.today)}${tile(t("This month"), whose.month)}</div>
      ${usage.budgets?.length ? budgetsView(usage.budgets) : nothing}
      ${whose.days.some((d) => d.calls) ? this.#charts(whose.days) : empty(t("No language model was used in these days."), html`<p>${t("What Nacre asks of one is counted here, with what it cost.")}</p>`)}
      ${whose === usage && usage.models?.length ? modelsView(usage.models) : nothing}`;
  }

  #whose() {
    const choose = (everybody) => () => {
      this.#everybody = everybody;
      this.#app.update();
    };
    const button = (everybody, name) => html`<button class="quiet" aria-pressed=${String(this.#everybody === everybody)} @click=${choose(everybody)}>${name}</button>`;
    return html`<div class="row" role="group" aria-label=${t("Whose usage")}>${button(false, t("Yours"))}${button(true, t("Everybody’s"))}</div>`;
  }

  #charts(all) {
    const days = all.map((d) => d.day);
    const total = all.reduce(plus);
    const unpriced = total.unpriced ? t("The price of {0} tokens is not known, so they are not in the cost.", short(total.unpriced)) : "";
    return html`
      ${unpriced ? html`<p class="note">${unpriced}</p>` : nothing}
      ${this.#cost.view({
        title: t("Cost per day"), summary: costWords(all, total), days, write: dollars, mark: dollarMark,
        series: [{ name: t("Cost"), kind: "first", values: all.map((d) => d.cost) }],
      })}
      ${this.#tokens.view({
        title: t("Tokens per day"), summary: t("{0} into models and {1} out of them.", short(total.input), short(total.output)), days, write: number, mark: short,
        series: [
          { name: t("Input from the cache"), kind: "first", values: all.map((d) => d.cache_read) },
          { name: t("Other input"), kind: "second", values: all.map((d) => d.input - d.cache_read) },
          { name: t("Output"), kind: "third", values: all.map((d) => d.output) },
        ],
      })}
      ${this.#cached.view({
        title: t("Input from the cache"), summary: t("{0} of all input; what is read from the cache costs a small part of the usual price.", share(total)), days, write: percents, mark: percents, top: 1,
        series: [{ name: t("Share"), kind: "first", values: all.map((d) => (d.input ? d.cache_read / d.input : 0)) }],
      })}`;
  }
}

function plus(a, b) {
  const sum = { ...a };
  for (const f of ["calls", "input", "output", "cache_read", "cache_write", "cost", "unpriced"]) sum[f] += b[f];
  return sum;
}

// costWords is what days cost, and which most.
function costWords(all, total) {
  const most = all.reduce((a, b) => (b.cost > a.cost ? b : a));
  if (!most.cost) return t("Nothing that is known.");
  return t("{0} in all; most on {1}, {2}.", dollars(total.cost), dateWords(most.day), dollars(most.cost));
}

// dollarMark is a sum at a scale, with no more digits than it needs.
function dollarMark(nanos) {
  const value = nanos / 1e9;
  return value.toLocaleString(document.documentElement.lang, { style: "currency", currency: "USD", minimumFractionDigits: Number.isInteger(value) ? 0 : 2, maximumFractionDigits: 6 });
}

function percents(part) {
  return part.toLocaleString(document.documentElement.lang, { style: "percent" });
}

function share(s) {
  return percents(s.input ? s.cache_read / s.input : 0);
}

// tile is what was used in a time.
function tile(title, s) {
  return html`
    <div class="card tile">
      <h3>${title}</h3>
      <p class="figure">${costOf(s)}</p>
      <p>${count(s.calls, "{0} call", "{0} calls")} · ${t("{0} tokens in, {1} out", short(s.input), short(s.output))}${s.cache_read ? html` · ${t("{0} of the input from the cache", share(s))}` : nothing}</p>
    </div>`;
}

// costOf is what something cost, as far as that is known.
function costOf(s) {
  if (s.unpriced && !s.cost) return t("Price not known");
  return s.unpriced ? t("{0} and more", dollars(s.cost)) : dollars(s.cost);
}

function budgetsView(budgets) {
  return html`
    <section aria-labelledby="budgets">
      <h3 id="budgets">${t("Budgets")}</h3>
      <ul class="card budgets">${budgets.flatMap((b) => [
        b.cost ? budgetView(b, b.used_cost, b.cost, t("{0} of {1}", dollars(b.used_cost), dollars(b.cost))) : nothing,
        b.tokens ? budgetView(b, b.used_tokens, b.tokens, t("{0} of {1} tokens", short(b.used_tokens), short(b.tokens))) : nothing,
      ])}</ul>
    </section>`;
}

function budgetView(b, used, limit, words) {
  const name = budgetName(b);
  return html`
    <li>
      <span>${name}</span>
      <meter min="0" max=${limit} high=${0.8 * limit} optimum="0" value=${Math.min(used, limit)} aria-label=${name}>${words}</meter>
      <span class="used">${words}${used >= limit ? html` <strong class="bad">${t("used up")}</strong>` : nothing}</span>
    </li>`;
}

function budgetName({ whose, span }) {
  if (whose === "you") return span === "day" ? t("Yours today") : t("Yours this month");
  return span === "day" ? t("Everybody’s today") : t("Everybody’s this month");
}

function modelsView(models) {
  return html`
    <section aria-labelledby="models">
      <h3 id="models">${t("By model")}</h3>
      <div class="figures" tabindex="0" role="region" aria-labelledby="models"><table>
        <thead><tr><th scope="col">${t("Model")}</th><th scope="col">${t("Calls")}</th><th scope="col">${t("Input")}</th><th scope="col">${t("From the cache")}</th><th scope="col">${t("Output")}</th><th scope="col">${t("Cost")}</th></tr></thead>
        <tbody>${models.map((m) => html`<tr><th scope="row">${m.model}</th><td>${number(m.calls)}</td><td>${short(m.input)}</td><td>${share(m)}</td><td>${short(m.output)}</td><td>${costOf(m)}</td></tr>`)}</tbody>
      </table></div>
    </section>`;
}
