import { scopeName } from "/labels.js";
import { quotes } from "/quotes.js";
import { html, live, nothing } from "/ui.js";
import { day, moment, t } from "/words.js";

const DECIDE = 30; // days, after which what nobody decides on is erased
const LONGEST = 4000; // characters of a note

// card shows a note that waits, with all that one decides on it by: rival is the note
// that would be let go for it, if there is one, draft what is being written instead,
// if something is, hand what can be done.
export function card(sheet, rival, draft, hand) {
  const { note } = sheet;
  return html`
    <article class="card decide" id=${"waits-" + note.id} tabindex="-1" aria-labelledby=${"place-" + note.id}>
      <h3 id=${"place-" + note.id}><code>${note.path}</code>${note.scope ? html` <small>${scopeName(note.scope)}</small>` : nothing}</h3>
      <p class="because">${t(note.waits_for)}</p>
      ${rival ? sides(note, rival) : html`<p class="text" dir="auto">${note.text}</p>`}
      ${sheet.said.length ? html`<div class="said"><h4>${t("Your words")}</h4>${quotes(sheet.said)}</div>` : nothing}
      ${draft ? editor(draft, hand) : decisions(rival, hand)}
      <p class="faint">${t("Since {0}. If you do not decide, it is erased after 30 days, on {1} at the earliest.", moment(note.recorded), day(last(note)))}</p>
    </article>`;
}

// sides shows a note beside the one that it would replace.
function sides(note, rival) {
  return html`
    <div class="sides">
      <div><h4>${t("What waits")}</h4><p class="text" dir="auto">${note.text}</p></div>
      <div><h4>${t("What is noted now")}</h4><p class="text" dir="auto">${rival.text}</p>
        <p class="faint"><a href=${"/memory/note/" + rival.id}>${rival.path}</a> · ${t("since {0}", day(rival.recorded))}</p></div>
    </div>`;
}

function decisions(rival, hand) {
  return html`
    <div class="row">
      <button class="action" @click=${hand.accept}>${rival ? t("Accept instead") : t("Accept")}</button>
      ${rival ? html`<button class="action plain" @click=${hand.keep}>${t("Keep both")}</button>` : nothing}
      <button class="action plain" @click=${hand.edit}>${t("Edit")}</button>
      <button class="action danger" @click=${hand.reject}>${t("Reject")}</button>
    </div>`;
}

function editor(draft, hand) {
  return html`
    <form class="editor" @submit=${(e) => (e.preventDefault(), hand.save())}>
      <label class="field"><span>${t("As it should read")}</span>${words(draft, hand)}</label>
      <div class="row">
        <button class="action" ?disabled=${!draft.text.trim()}>${t("Save and accept")}</button>
        <button class="action plain" type="button" @click=${hand.leave}>${t("Cancel")}</button>
      </div>
    </form>`;
}

// remains shows what was being written for a note that was decided on elsewhere.
export function remains(draft, hand) {
  return html`
    <form class="card editor" @submit=${(e) => (e.preventDefault(), hand.add())}>
      <p>${t("What you were changing was decided elsewhere meanwhile. Your words are still here.")}</p>
      <label class="field"><span><code>${draft.path}</code></span>${words(draft, hand)}</label>
      <div class="row">
        <button class="action" ?disabled=${!draft.text.trim()}>${t("Note this all the same")}</button>
        <button class="action plain" type="button" @click=${hand.leave}>${t("Let it go")}</button>
      </div>
    </form>`;
}

function words(draft, hand) {
  return html`<textarea dir="auto" maxlength=${LONGEST} .value=${live(draft.text)} @input=${(e) => hand.type(e.target.value)}></textarea>`;
}

// last is the first day on which a note that waits may be erased.
function last(note) {
  return new Date(note.recorded).getTime() + DECIDE * 24 * 60 * 60 * 1000;
}
