import { html, live, nothing } from "/ui.js";
import { number, t } from "/words.js";

// purpose says what a file is for.
function purpose(name) {
  return {
    "SOUL.md": t("Who the assistant is: its character and how it speaks. It is part of everything that it is asked."),
    "HEARTBEAT.md": t("What it looks after by itself. It looks now and then, and says something only if there is something to say."),
    "prompts/reflect.md": t("What it looks for when it reads back what you said, to find what is worth remembering."),
  }[name];
}

// editor shows a file and what is being written of it, draft, if anything is. hand is
// what can be done with both.
export function editor(file, draft, hand) {
  const text = draft?.text ?? file.text;
  const clash = draft && draft.was !== file.hash;
  const id = "file-" + file.name.replace(/\W/g, "-");
  return html`
    <section class="file" @keydown=${(e) => saves(e) && draft && !clash && hand.save()}>
      <h3><label for=${id}><code>${file.name}</code></label></h3>
      <p class="faint" id=${id + "-for"}>${purpose(file.name)}</p>
      ${clash ? theirs(file, hand) : nothing}
      <textarea id=${id} dir="auto" spellcheck="true" aria-describedby=${id + "-for " + id + "-state"} .value=${live(text)} @input=${(e) => hand.type(e.target.value)}></textarea>
      <p class="foot-row" id=${id + "-state"}>${size(text, file.longest)}<span class="mark ${draft ? "bad" : ""}">${state(file, draft, clash)}</span></p>
      <div class="row">
        ${clash ? html`<button class="action" @click=${hand.together}>${t("Put both together")}</button>
          <button class="action plain" @click=${hand.overwrite}>${t("Save mine instead")}</button>
          <button class="action plain" @click=${hand.theirs}>${t("Take what is stored")}</button>`
        : html`<button class="action" ?disabled=${!draft} @click=${hand.save}>${t("Save")}</button>
          ${draft ? html`<button class="action plain" @click=${hand.drop}>${t("Discard my changes")}</button>` : nothing}
          ${text !== (file.original ?? text) ? html`<button class="action plain" @click=${hand.original}>${t("Back to the default")}</button>` : nothing}`}
      </div>
    </section>`;
}

// saves tells the keys with which people save, and keeps the browser from saving the
// page.
function saves(e) {
  const pressed = e.key === "s" && (e.ctrlKey || e.metaKey) && !e.altKey;
  if (pressed) e.preventDefault();
  return pressed;
}

function theirs(file, hand) {
  return html`
    <div class="stored">
      <p role="alert">${t("{0} was changed elsewhere while you wrote. This is what is stored now; what you wrote is below.", file.name)}</p>
      <pre dir="auto" tabindex="0" aria-label=${t("What is stored")}>${file.text}</pre>
    </div>`;
}

// size says how much of a text there is: what stands between the marks of comments
// does not count.
function size(text, longest) {
  const n = [...text.replace(/<!--[^]*?(-->|$)/g, "").trim()].length;
  return n > longest
    ? html`<span class="bad">${t("{0} of {1} characters: what is beyond is not read. Shorten it.", number(n), number(longest))}</span>`
    : html`<span class="faint">${t("{0} of {1} characters", number(n), number(longest))}</span>`;
}

function state(file, draft, clash) {
  if (clash) return t("Changed elsewhere");
  if (draft) return t("Not saved yet");
  return file.default ? t("The default") : t("Saved");
}
