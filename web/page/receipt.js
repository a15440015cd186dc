// What became of a forgetting, in words.

import { html, nothing } from "/ui.js";
import { count, t } from "/words.js";

// The kinds of what is stored, in the order in which people think of them.
const KINDS = ["notes", "messages", "replies", "turns", "summaries", "files", "questions", "jobs", "settings", "logins", "passwords"];

// receipt says what was done, and no more than that: what went, what is not done yet,
// and what is not ours to erase.
export function receipt(r) {
  const went = counted(r.done ?? {});
  return html`
    <h2 id="asked" tabindex="-1">${verdict(r)}</h2>
    <dl class="receipt">
      ${went ? html`<dt>${t("Erased")}</dt><dd>${went}</dd>` : nothing}
      ${lost(r.done ?? {}) ? html`<dd>${lost(r.done)}</dd>` : nothing}
      ${lines(t("Not done yet, and tried again by itself"), r.pending)}
      ${lines(t("Left alone, since you wrote it there yourself"), r.prose)}
      ${lines(t("Blanked out in your own words"), r.cut)}
      ${lines(t("Out of reach"), r.outside)}
      ${r.tombstones ? html`<dt>${t("Kept, so that nothing forgotten comes back by itself")}</dt><dd>${count(r.tombstones, "{0} fingerprint, without any words", "{0} fingerprints, without any words")}</dd>` : nothing}
    </dl>`;
}

function lines(name, list) {
  return list?.length ? html`<dt>${name}</dt>${list.map((line) => html`<dd class="item">${t(line)}</dd>`)}` : nothing;
}

// verdict is the sentence that matters.
export function verdict(r) {
  const what = {
    note: t("The note is forgotten"),
    said: t("The note is forgotten, and where you said it"),
    about: t("What there was about it is forgotten"),
    hidden: t("What was hidden is forgotten"),
    all: t("Everything is forgotten"),
  }[r.size];
  return r.pending?.length ? t("{0}, with a rest still to be cleaned up.", what) : what + ".";
}

// counted counts what is stored by its kinds; empty if there is nothing.
export function counted(kinds) {
  const all = [...KINDS, ...Object.keys(kinds).filter((kind) => !KINDS.includes(kind))];
  return all.filter((kind) => kinds[kind] > 0).map((kind) => things(kind, kinds[kind])).join(", ");
}

// lost says what nobody can do any more once that is gone; empty if that is nothing.
export function lost(kinds) {
  return kinds.passwords ? t("A password goes with its name: the page is then opened by a link, until you set another.") : "";
}

function things(kind, n) {
  switch (kind) {
    case "notes":
      return count(n, "{0} note", "{0} notes");
    case "messages":
      return count(n, "{0} message", "{0} messages");
    case "replies":
      return count(n, "{0} answer", "{0} answers");
    case "turns":
      return count(n, "{0} exchange", "{0} exchanges");
    case "summaries":
      return count(n, "{0} summary", "{0} summaries");
    case "files":
      return count(n, "{0} file", "{0} files");
    case "questions":
      return count(n, "{0} question", "{0} questions");
    case "jobs":
      return count(n, "{0} job", "{0} jobs");
    case "settings":
      return count(n, "{0} setting", "{0} settings");
    case "logins":
      return count(n, "{0} login name", "{0} login names");
    case "passwords":
      return count(n, "{0} password", "{0} passwords");
  }
  return count(n, "{0} other thing", "{0} other things");
}
