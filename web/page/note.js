import { post } from "/api.js";
import { change, done } from "/change.js";
import { Editor } from "/edit.js";
import { forget } from "/forget.js";
import { areaName, date, kindName, live, originName, recalled, scopeName, span, standing, statusMeaning, statusName, topicName } from "/labels.js";
import { quotes } from "/quotes.js";
import { area, slug } from "/store.js";
import { html, nothing, problem } from "/ui.js";
import { day, moment, t } from "/words.js";

// Sheet is everything about one note, and what can be done with it. left is told that
// another note is to be shown in its place, or none.
export class Sheet {
  id;
  #app;
  #store;
  #left;
  #sheet = null; // as the server gives it; null until it is loaded
  #error = "";
  #gone = false; // it is forgotten, or never was
  #editor = null;
  #busy = false;

  constructor(app, store, id, left) {
    this.#app = app;
    this.#store = store;
    this.id = id;
    this.#left = left;
  }

  // dirty reports whether something typed would be lost.
  get dirty() {
    return !!this.#editor?.dirty;
  }

  // path is where it is, behind /memory.
  get path() {
    return "note/" + this.id;
  }

  // load reads it. A note that is in use is followed to what takes its place.
  async load() {
    const before = this.#sheet;
    try {
      const sheet = await post("/api/memory/note", { name: this.id, which: "all" });
      const now = before && inUse(before.note) && !inUse(sheet.note) && (sheet.versions.find(inUse) ?? (await this.#former(before)));
      if (now) return this.#follow(now);
      [this.#sheet, this.#gone, this.#error] = [sheet, false, ""];
    } catch (e) {
      if (e.kind === "not_found") return this.#lost(before);
      this.#error = e.message;
    }
    if (!this.#error) this.#editor?.look(this.#sheet.note);
    this.#app.update();
  }

  // lost is what becomes of the sheet of a note that is not there any more.
  async #lost(before) {
    const now = before && (await this.#former(before));
    if (now) return this.#follow(now);
    this.#gone = true;
    this.#sheet = null;
    if (!this.#editor?.dirty) this.#editor = null;
    this.#editor?.look(null);
    this.#app.update();
  }

  // former is an earlier version that is in use again, since the one that was shown was
  // taken back.
  async #former(before) {
    await this.#store.load();
    return before.versions.map((v) => this.#store.note(v.id)).find((n) => n && inUse(n));
  }

  #follow(note) {
    const shown = location.pathname === "/memory/" + this.path;
    this.id = note.id;
    if (shown) history.replaceState(history.state, "", "/memory/" + this.path);
    return this.load();
  }

  // view is the sheet; past is what memory was on another day, if that is looked at.
  view(past) {
    const known = past ? this.#then(past) : (this.#sheet?.note ?? this.#editor?.note ?? (this.#gone ? undefined : this.#store.note(this.id)));
    if (!known) return this.#missing(past);
    const sheet = past ? null : this.#sheet;
    return html`
      <h2 tabindex="-1"><span class="area">${areaName(area(known))}</span> <bdi dir="auto">${slug(known).replaceAll("-", " ")}</bdi></h2>
      ${this.#editor && !past ? this.#editor.view() : html`<p class="text" dir="auto">${known.text}</p>${past ? nothing : this.#actions(known)}`}
      ${problem(this.#error, () => this.load())}
      ${this.#gone ? nothing : html`${facts(known, sheet)}${sheet ? this.#relations() : nothing}${this.#said(past)}${sheet ? this.#versions() : nothing}`}`;
  }

  // then is the version of a day.
  #then(past) {
    const ids = new Set([this.id, ...(this.#sheet?.versions ?? []).map((v) => v.id)]);
    const versions = past.notes.filter((n) => ids.has(n.id));
    return versions.find(inUse) ?? versions.at(-1);
  }

  #missing(past) {
    if (this.#error) return problem(this.#error, () => this.load());
    if (!past && !this.#gone) return nothing;
    return html`<h2 tabindex="-1">${t("There is no such note")}</h2><p>${past ? t("On that day Nacre did not know it.") : t("It was forgotten, or never was.")}</p>`;
  }

  #actions(note) {
    const act = (verb, name, said, look = "plain") => html`<button class="action ${look}" ?disabled=${this.#busy} @click=${() => this.#do(verb, said)}>${name}</button>`;
    return html`<div class="row">
      ${inUse(note) ? html`<button class="action" @click=${() => this.#edit(note)}>${t("Edit")}</button>` : act("restore", t("Restore"), t("Brought back."), "")}
      ${inUse(note) && note.status !== "stated" ? act("confirm", t("Confirm"), t("Confirmed.")) : nothing}
      ${note.status === "candidate" && note.against ? act("keep", t("Keep both"), t("Both are kept.")) : nothing}
      ${note.status === "candidate" ? act("reject", t("Reject"), t("Rejected.")) : nothing}
      ${live(note) ? act("archive", t("Archive"), t("Archived.")) : nothing}
      ${live(note) ? (note.pinned ? act("unpin", t("Unpin"), t("Not pinned any more.")) : act("pin", t("Pin"), t("Pinned."))) : nothing}
      <button class="action danger" @click=${() => this.#forget(note)}>${t("Forget…")}</button>
    </div>`;
  }

  // do makes a change of the note as it is shown.
  async #do(verb, said) {
    const { id, hash } = this.#sheet.note;
    this.#busy = true;
    this.#app.update();
    const outcome = await change(this.#app, verb, { note: id, hash }, () => this.#stale());
    this.#busy = false;
    this.#app.update();
    if (!outcome) return;
    await Promise.all([this.#store.load(), outcome.note ? this.#follow(outcome.note) : this.load()]);
    done(this.#app, this.#store, outcome.same ? t("There was nothing to change.") : said);
  }

  async #stale() {
    await this.load();
    this.#app.tell(t("The note changed since it was shown. Nothing was done; this is how it is now."), true);
  }

  #edit(note) {
    this.#editor = new Editor(this.#app, this.#store, this, note);
    this.#app.update();
    queueMicrotask(() => document.querySelector(".edit textarea")?.focus());
  }

  // edited ends the editing. now is the note that there is then; null: as before.
  async edited(now) {
    this.#editor = null;
    if (now && now.id !== this.id) await this.#follow(now);
    else await this.load();
    queueMicrotask(() => document.querySelector(".sheet .action")?.focus());
  }

  async #forget(note) {
    if (await forget(this.#app, this.#store, { note, words: slug(note).replaceAll("-", " ") })) this.#left(null);
  }

  // relations leads to the notes that this one has to do with.
  #relations() {
    const { against, versions, note } = this.#sheet;
    const at = versions.findIndex((v) => v.id === note.id);
    return html`<dl class="known">
      ${against ? related(t("Contradicts"), against) : nothing}
      ${versions[at - 1] ? related(t("Replaces"), versions[at - 1]) : nothing}
      ${versions[at + 1] ? related(t("Replaced by"), versions[at + 1]) : nothing}
    </dl>`;
  }

  // said is the words that it rests on; on another day, those that had been said.
  #said(past) {
    if (!this.#sheet) return nothing;
    const said = this.#sheet.said.filter((q) => !past || q.sent.slice(0, 10) <= past.day);
    return html`
      <h3>${t("Your words")}</h3>
      ${said.length ? quotes(said) : html`<p class="faint">${this.#sheet.note.origin === "email" ? originName("email") + "." : t("It rests on no message: it was written, not said.")}</p>`}`;
  }

  #versions() {
    const { versions, note } = this.#sheet;
    if (versions.length < 2) return nothing;
    return html`
      <h3>${t("Versions")}</h3>
      <ol class="versions">${versions.map((v) => html`<li aria-current=${v.id === note.id ? "true" : nothing}>
        <a href=${"/memory/note/" + v.id}><bdi dir="auto">${v.text}</bdi></a>
        <small>${v.until ? t("{0} to {1}", moment(v.recorded), moment(v.until)) : t("Since {0}", moment(v.recorded))}</small></li>`)}</ol>`;
  }
}

// inUse reports whether a note can still be worked on.
function inUse(note) {
  return live(note) || note.status === "candidate";
}

function related(name, note) {
  return html`<div><dt>${name}</dt><dd><a href=${"/memory/note/" + note.id}><bdi dir="auto">${note.text}</bdi></a></dd></div>`;
}

// facts is what is known about a note besides what it says.
function facts(note, sheet) {
  const rows = [
    [t("Status"), html`<strong class="status ${standing(note)}">${statusName(standing(note))}</strong> <span>${statusMeaning(note)}</span>`],
    [t("Waits because"), note.status === "candidate" && note.waits_for && t(note.waits_for)],
    [t("Kind"), note.kind && kindName(note.kind)],
    [t("In short"), note.abstract && html`<bdi dir="auto">${note.abstract}</bdi>`],
    [t("Names"), note.entities?.length && html`${note.entities.map((e) => html`<bdi dir="auto" class="name">${e}</bdi> `)}`],
    [t("True"), span(note)],
    [t("When"), note.event && date(note.event)],
    [t("Keep until"), note.expires && date(note.expires)],
    [t("Believed"), note.until ? t("{0} to {1}", day(note.recorded), day(note.until)) : t("Since {0}", moment(note.recorded))],
    [t("Applies"), scopeName(note.scope)],
    [t("Origin"), originName(note.origin)],
    [t("Recalled"), recalled(note)],
    [t("Pinned"), note.pinned && [t("Always at hand"), sheet?.pin && t(sheet.pin)].filter(Boolean).join(": ")],
    [t("Sensitive"), note.topic && t("It is about {0}. While such topics are switched off it is only used if you allowed it by itself.", topicName(note.topic))],
  ];
  return html`<dl class="known">${rows.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
