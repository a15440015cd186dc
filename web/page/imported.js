import { html, nothing } from "/ui.js";
import { count, number, t } from "/words.js";

const SHOWN = 500; // lines

// outcome shows what became of a text that was imported, or would: how much of each,
// and then line by line.
export function outcome(told) {
  return html`
    <div class="imported" tabindex="-1">
      <h4>${told.dry ? t("What would be imported") : t("What was imported")}</h4>
      <p role="status">${sums(told).join(", ")}</p>
      <ol class="lines" role="list">${told.lines.slice(0, SHOWN).map((l) => line(l, told.dry))}</ol>
      ${told.lines.length > SHOWN ? html`<p class="faint">${count(told.lines.length - SHOWN, "and {0} more line", "and {0} more lines")}</p>` : nothing}
    </div>`;
}

function sums({ added, waits, known, left, lines }) {
  if (!lines.length) return [t("No line of it reads like a note. Write each on a line of its own, in a list below a heading.")];
  return [
    added && count(added, "{0} added", "{0} added"),
    waits && count(waits, "{0} waits for you", "{0} wait for you"),
    known && count(known, "{0} known already", "{0} known already"),
    left && count(left, "{0} left out", "{0} left out"),
  ].filter(Boolean);
}

function line(l, dry) {
  return html`
    <li>
      <span class="number">${number(l.line)}</span>
      ${l.text ? html`<p class="text" dir="auto">${l.text}</p>` : nothing}
      <p class="faint"><strong class=${l.what === "left" ? "mark bad" : "mark"}>${become(l.what)}</strong>
        ${l.area ? html`<code>${l.area}</code>` : nothing}
        ${l.words ? t(l.words) : nothing}
        ${l.note && !dry ? html`<a href=${way(l)}>${t("See it")}</a>` : nothing}</p>
    </li>`;
}

function become(what) {
  return { added: t("Added"), waits: t("Waits for you"), known: t("Known already"), left: t("Left out") }[what];
}

function way(l) {
  return l.what === "waits" ? "/memory/waiting" : "/memory/note/" + l.note;
}
