import { post } from "/api.js";
import { html, sure } from "/ui.js";
import { t } from "/words.js";

// What a change is refused for because the note is not what was shown any more.
const STALE = ["stale", "not_legal", "note_unknown"];

// change has something changed in memory: verb is the last part of the path that
// asks for it, body what it needs. What needs the owner's consent is asked for. It
// returns the Outcome; undefined if nothing was done, and then the person was told
// why, unless the note changed since it was shown and stale is given, which is called
// instead.
export async function change(app, verb, body, stale) {
  const outcome = await app.run(() => ask(verb, body, stale));
  if (!outcome) return undefined;
  if (!outcome.refused) return outcome;
  if (stale && STALE.includes(outcome.refused)) {
    stale();
    return undefined;
  }
  const more = await consent(outcome.refused, body);
  if (more) return change(app, verb, { ...body, ...more }, stale);
  if (more === undefined) app.tell(refusal(outcome), true);
  return undefined;
}

// ask is a request for a change. A note that is not there at all is refused like one
// that is no more, where there is somebody to see to that.
async function ask(verb, body, stale) {
  try {
    return await post("/api/memory/" + verb, body);
  } catch (e) {
    if (stale && body.note && e.kind === "not_found") return { refused: "note_unknown" };
    throw e;
  }
}

function refusal(outcome) {
  return t("Nothing was changed: {0}.", t(outcome.words ?? outcome.refused));
}

// consent asks for what a change was refused for the lack of, and returns what to say
// of it; null if the owner does not want it, undefined if there is nothing to ask.
async function consent(refused, body) {
  if (refused === "sensitive" && !body.sensitive) return (await sensitive()) ? { sensitive: true } : null;
  if (refused === "was_forgotten" && !body.forgotten) return (await again()) ? { forgotten: true } : null;
  return undefined;
}

function sensitive() {
  return sure({
    title: t("This is about a sensitive topic"),
    body: html`<p>${t("Such topics are switched off. You can keep just this one: it is then used in your private chats like any other note. All others stay switched off.")}</p>`,
    yes: t("Keep just this one"),
    no: t("Do not keep it"),
  });
}

function again() {
  return sure({
    title: t("You had this forgotten. Remember it now?"),
    body: html`<p>${t("It was forgotten for good, and what kept it from coming back is lifted for this note.")}</p>`,
    yes: t("Remember it"),
    no: t("Leave it forgotten"),
  });
}

// done says what was done, for a while, with a button that takes it back. version is
// that of memory with it.
export function done(app, store, text) {
  const version = store.listing?.version;
  app.tell(html`${text} <button class="undo" @click=${() => undo(app, store, version)}>${t("Undo")}</button>`);
}

// undo takes the last change of memory back, and says what is different now. If it
// may not be the one that is meant, since memory is not at that version any more, it
// asks.
export async function undo(app, store, version = store.listing?.version) {
  await store.load();
  if (store.listing?.version !== version && !(await later())) return;
  const outcome = await change(app, "undo", {});
  if (!outcome) return;
  await store.load();
  app.tell(html`${t("Taken back.")} ${(outcome.undone ?? []).map((line) => html`<bdi class="undone">${undone(line)}</bdi> `)}`);
}

function later() {
  return sure({
    title: t("Something else changed since then"),
    body: html`<p>${t("Only the last change of all can be taken back, and that is another one now. The Log shows which.")}</p>`,
    yes: t("Take the last change back"),
  });
}

// undone is a line of what taking back has done: what became of something, and after
// a colon a note's own words, or how a setting is.
function undone(line) {
  const at = line.indexOf(": ");
  const what = line.slice(at + 2);
  return `${t(line.slice(0, at))}: ${what === "on" || what === "off" ? t(what) : what}`;
}
