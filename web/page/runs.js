// What ran: of one job, or of all of them and of what Nacre does by itself.

import { length } from "/when.js";
import { html, nothing } from "/ui.js";
import { count, dollars, moment, t } from "/words.js";

const BAD = new Set(["failed", "broken", "missed"]);

// phrases is what the server put together of phrases, each in the reader's language.
export function phrases(text) {
  return text
    .split(/(: |, )/)
    .map((p) => {
      const [, times] = p.match(/^(\d+) times$/) ?? [];
      return times ? count(Number(times), "once", "{0} times") : t(p);
    })
    .join("");
}

// runList lists runs, with what ran where they are of several jobs.
export function runList(runs, named) {
  if (runs.length === 0) return html`<p class="quietly">${t("Nothing ran yet.")}</p>`;
  return html`<ul class="runs">${runs.map((r) => html`
    <li>
      <time datetime=${r.slot}>${moment(r.slot)}</time>
      <div>
        ${named ? html`<span class="name" dir="auto">${r.job ? r.name : t(r.name)}</span>` : nothing}
        <span class="mark ${BAD.has(r.state) ? "bad" : ""}">${phrases(r.words)}</span>
        <small>${details(r).join(" · ")}</small>
      </div>
    </li>`)}</ul>`;
}

// details are how a run went, and what it used.
function details(r) {
  const took = r.took_ms ?? 0;
  return [
    r.by_hand && t("by hand"),
    r.attempts > 1 && t("{0} attempts", r.attempts),
    took >= 1000 && t("took {0}", length(Math.round(took / 1000))),
    r.calls > 0 && count(r.calls, "{0} call of a model", "{0} calls of a model"),
    r.cost > 0 && dollars(r.cost),
  ].filter(Boolean);
}
