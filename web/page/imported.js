import { html, nothing } from "/ui.js";
import { count, day, number, t } from "/words.js";

const SHOWN = 500; // lines

// outcome shows what became of what was imported, or would: how much of each, then line
// by line, and what else was left out.
export function outcome(told) {
  return html`
    <div class="imported" tabindex="-1">
      <h4>${told.dry ? t("What would be imported") : t("What was imported")}</h4>
      <div role="status">${sums(told)}</div>
      ${list(told.lines ?? [], (l) => line(l, told.dry))}
      ${told.left_out?.length ? html`<h4>${t("Also left out")}</h4>${list(told.left_out, left, told.left_more)}` : nothing}
    </div>`;
}

// some reports whether anything of it is new.
export function some({ added, jobs, said, settings }) {
  return Boolean(added || jobs || said || settings?.length);
}

function list(all, row, unknown = 0) {
  const more = all.length - SHOWN;
  const hidden = Math.max(0, more) + unknown;
  return html`<ol class="lines" role="list">${all.slice(0, SHOWN).map(row)}</ol>
    ${hidden ? html`<p class="faint">${count(hidden, "and {0} more line", "and {0} more lines")}</p>` : nothing}`;
}

function sums(told) {
  const rows = [
    [t("From"), told.sources?.join(", ")],
    [t("Notes"), joined([told.added && count(told.added, "{0} added", "{0} added"), known(told.known), told.left && count(told.left, "{0} left out", "{0} left out")])],
    [t("Jobs"), told.jobs && joined([count(told.jobs, "{0} job", "{0} jobs"), t("paused until you resume them")])],
    [t("Messages"), joined([told.said && said(told), known(told.said_here)])],
    [t("Settings"), told.settings?.map(settingName).join(", ")],
  ].filter(([, what]) => what);
  if (rows.length < 2 && !told.left_out?.length) return html`<p>${t("No line of it reads like a note. Write each on a line of its own, in a list below a heading.")}</p>`;
  return html`<dl class="facts">${rows.map(([name, what]) => html`<dt>${name}</dt><dd>${what}</dd>`)}</dl>`;
}

function joined(list) {
  return list.filter(Boolean).join(", ");
}

function known(n) {
  return n && count(n, "{0} known already", "{0} known already");
}

// said are the messages that can be found from now on.
function said({ said, chats, first, last }) {
  return joined([count(said, "{0} message", "{0} messages"), chats && count(chats, "{0} conversation", "{0} conversations"), first && t("from {0} to {1}", day(first), day(last))]);
}

function settingName(name) {
  return { name: t("Your name"), language: t("Language"), zone: t("Time zone"), hours: t("Active hours"), model: t("Model") }[name] ?? name;
}

function line(l, dry) {
  return html`
    <li>
      <span class="number">${l.line ? number(l.line) : ""}</span>
      ${l.text ? html`<p class="text" dir="auto">${l.text}</p>` : nothing}
      <p class="faint"><strong class=${l.what === "left" ? "mark bad" : "mark"}>${become(l.what)}</strong>
        ${l.job ? t("Job") : l.area ? html`<code>${l.area}</code>` : nothing}
        ${l.words ? t(l.words) : nothing}
        ${l.file ? html`<bdi>${l.file}</bdi>` : nothing}
        ${l.note && !dry ? html`<a href=${"/memory/note/" + l.note}>${t("See it")}</a>` : nothing}</p>
    </li>`;
}

function become(what) {
  return { added: t("Added"), known: t("Known already"), left: t("Left out") }[what];
}

function left(l) {
  return html`
    <li>
      <span class="number">${l.line ? number(l.line) : ""}</span>
      <p class="text" dir="auto">${t(l.what)}</p>
      <p class="faint">${t(l.words)} ${l.file ? html`<bdi>${l.file}</bdi>` : nothing}</p>
    </li>`;
}
