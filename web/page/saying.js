// How something that was said is shown.

import { attached } from "/attached.js";
import { icon } from "/icons.js";
import { render } from "/markdown.js";
import { html, nothing } from "/ui.js";
import { day, hour, moment, t } from "/words.js";

// speech shows the entries of a conversation, as Log has them, under the days on
// which they were said. foot(entry) is what stands below one, besides its time.
export function speech(entries, foot) {
  let before = day(new Date());
  return entries.map((entry) => {
    const today = day(entry.at);
    const heading = today === before ? nothing : html`<li class="day"><span>${today}</span></li>`;
    before = today;
    return { key: entry.key, view: html`${heading}${saying(entry, foot)}` };
  });
}

function saying(entry, foot) {
  if (entry.side === "notice") return html`<li class="notice">${entry.text}</li>`;
  return html`<li class="message ${entry.side} ${entry.state ?? ""} ${entry.past ? "" : "new"} ${entry.marked ? "marked" : ""}" data-message=${entry.message ?? nothing}>
      <span class="hidden">${speaker(entry)}: </span>
      <div class="body" dir="auto">${content(entry)}${foot.inside?.(entry) ?? nothing}</div>
      <div class="foot"><time datetime=${entry.at} title=${moment(entry.at)}>${hour(entry.at)}</time>${marks(entry)}${foot.below?.(entry) ?? nothing}</div>
    </li>`;
}

// speaker names who said it, for those who cannot see its side.
function speaker(entry) {
  return { mine: t("You"), theirs: "Nacre", others: entry.name ?? t("Somebody else") }[entry.side];
}

// content is what was said. It is made once for an entry, which does not change.
function content(entry) {
  entry.content ??= made(entry);
  return entry.content;
}

function made(entry) {
  const parts = [];
  if (entry.files?.length) parts.push(enclosed(entry.files));
  if (entry.text && entry.side === "theirs") parts.push(markdown(entry.text));
  else if (entry.text) parts.push(plain(entry.text));
  if (entry.file) parts.push(attached(entry.file));
  return parts;
}

// enclosed names what came with a message.
function enclosed(names) {
  return html`<ul class="enclosed" aria-label=${t("Files")}>${names.map((name) => html`<li>${icon("clip")}<span dir="auto">${name}</span></li>`)}</ul>`;
}

export function markdown(text) {
  const e = document.createElement("div");
  e.className = "text";
  e.append(render(text));
  return e;
}

function plain(text) {
  const e = document.createElement("div");
  e.className = "plain";
  e.dir = "auto";
  e.textContent = text;
  return e;
}

function marks(entry) {
  return [
    entry.side === "others" && html`<span class="who" dir="auto">${t("said by {0}", entry.name ?? t("somebody else"))}</span>`,
    entry.side === "mine" && entry.strange && html`<span class="who">${t("with words of others")}</span>`,
    entry.heard && html`<span class="who">${t("from a recording")}</span>`,
  ].filter(Boolean);
}
