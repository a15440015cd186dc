import { get, post } from "/api.js";
import { Told } from "/told.js";
import { html, live, nothing } from "/ui.js";
import { lengthWords } from "/when.js";
import { t } from "/words.js";

// Wishes is the room of how the owner wants things to be. Each setting is saved by
// itself, so that what is wrong is said where it is; what is typed and not saved
// stays, whatever else changes.
export class Wishes {
  #app;
  #sheet;
  #typed = {}; // name of a setting → what stands in its field and is not saved
  #errors = {}; // name of a setting → why it was not saved
  #saved = ""; // name of the setting that was saved last

  constructor(app) {
    this.#app = app;
    this.#sheet = new Told(app, () => get("/api/settings"));
  }

  look() {
    this.#sheet.look();
  }

  changed(topics) {
    this.#sheet.changed(topics, "settings");
  }

  view() {
    return html`
      <div>
        <h2 tabindex="-1">${t("Settings")}</h2>
        ${this.#sheet.view((s) => html`
          <div class="card settings">
            ${this.#setting("name", t("Your name"), t("How Nacre calls you."), (attrs) => this.#text("name", attrs, "100", "name"))}
            ${this.#setting("language", t("Language"), t("Of this page and of the answers."), () => this.#select("language", s.languages, languageName))}
            ${this.#setting("zone", t("Time zone"), t("Whose clock counts for you."), (attrs) => this.#zone(attrs))}
            ${this.#setting("hours", t("Active hours"), t("When Nacre may speak up by itself. The same time twice is the whole day."), () => this.#hours())}
            ${this.#setting("model", t("Model"), t("That answers, where /model chose no other."), () => this.#select("model", s.models, (m) => m))}
          </div>
          <h3>${t("Set by whoever runs Nacre")}</h3>
          <dl class="facts">
            <dt>${t("Model for memory")}</dt><dd>${s.memory_model || t("none")}</dd>
            <dt>${t("Heartbeat")}</dt><dd>${s.heartbeat ? t("every {0}", lengthWords(s.heartbeat)) : t("off")}</dd>
          </dl>`)}
      </div>`;
  }

  // value is what stands in the field of a setting.
  #value(name) {
    return this.#typed[name] ?? this.#sheet.is[name];
  }

  #type(name, value) {
    if (value === this.#sheet.is[name]) delete this.#typed[name];
    else this.#typed[name] = value;
    this.#saved = "";
    this.#app.update();
  }

  // setting is one of them: its field, whose it is, and what can be done.
  #setting(name, label, hint, input) {
    const error = this.#errors[name] ?? "";
    const attrs = { id: "set-" + name, described: `about-${name} wrong-${name}`, wrong: error ? "true" : nothing };
    return html`
      <form class="setting" aria-label=${label} @submit=${(e) => this.#submit(e, name)}>
        <div class="label"><label for=${attrs.id}>${label}</label><small id="about-${name}">${hint}</small></div>
        <div class="value">
          ${input(attrs)}
          <p id="wrong-${name}" class="bad said" role="alert">${error}</p>
          <div class="state">${name in this.#typed ? this.#unsaved(name) : this.#state(name)}</div>
        </div>
      </form>`;
  }

  #unsaved(name) {
    return html`
      <button class="action">${t("Save")}</button>
      <button class="action plain" type="button" @click=${() => this.#leave(name)}>${t("Cancel")}</button>`;
  }

  #state(name) {
    const own = this.#sheet.is.own?.includes(name);
    const saved = this.#saved === name;
    return html`
      <small role="status">${saved ? t("Saved.") + " " : nothing}${own ? t("Your own.") : t("As usual here: {0}", this.#usual(name))}</small>
      ${own ? html`<button class="quiet" type="button" @click=${() => this.#save(name, "")}>${t("Back to what is usual")}</button>` : nothing}`;
  }

  // usual is what a setting is that the owner has not set.
  #usual(name) {
    const value = this.#sheet.is[name];
    if (name === "language") return languageName(value);
    return (name === "hours" ? value.replace("-", "–") : value) || t("None");
  }

  #text(name, attrs, most, complete) {
    return html`<input id=${attrs.id} dir="auto" maxlength=${most} autocomplete=${complete} aria-describedby=${attrs.described} aria-invalid=${attrs.wrong}
      .value=${live(this.#value(name))} @input=${(e) => this.#type(name, e.target.value)}>`;
  }

  #zone(attrs) {
    return html`
      <input id=${attrs.id} dir="ltr" list="zones" autocomplete="off" spellcheck="false" aria-describedby=${attrs.described} aria-invalid=${attrs.wrong}
        .value=${live(this.#value("zone"))} @input=${(e) => this.#type("zone", e.target.value)}>
      <datalist id="zones">${Intl.supportedValuesOf("timeZone").map((z) => html`<option value=${z}></option>`)}</datalist>`;
  }

  // select offers what there is; also what is chosen and is there no more.
  #select(name, all, write) {
    const now = this.#value(name);
    const options = all.includes(now) ? all : [now, ...all];
    return html`<select id="set-${name}" aria-describedby="about-${name} wrong-${name}" @change=${(e) => this.#type(name, e.target.value)}>
      ${options.map((o) => html`<option value=${o} .selected=${live(o === now)}>${write(o)}</option>`)}</select>`;
  }

  #hours() {
    const [from = "", to = ""] = this.#value("hours").split("-");
    const input = (id, label, value, typed) => html`<input id=${id} type="time" required aria-label=${label} aria-describedby="about-hours wrong-hours" .value=${live(value)} @input=${(e) => this.#type("hours", typed(e.target.value))}>`;
    return html`
      <div class="hours">
        ${input("set-hours", t("Active hours, from"), from, (v) => `${v}-${to}`)} <span aria-hidden="true">–</span>
        ${input("set-hours-to", t("Active hours, to"), to, (v) => `${from}-${v}`)}
      </div>`;
  }

  #leave(name) {
    delete this.#typed[name];
    delete this.#errors[name];
    this.#app.update();
    document.getElementById("set-" + name).focus();
  }

  async #submit(e, name) {
    e.preventDefault();
    if (name in this.#typed) await this.#save(name, this.#typed[name]);
  }

  // save changes a setting; an empty text makes it the usual again.
  async #save(name, value) {
    try {
      this.#sheet.is = await post("/api/settings", { [name]: value });
      delete this.#typed[name];
      delete this.#errors[name];
      this.#saved = name;
    } catch (problem) {
      this.#errors[name] = problem.message;
    }
    this.#app.update();
    document.getElementById("set-" + name)?.focus(); // the button may be gone
  }
}

// languageName is a language as those call it who speak it.
function languageName(code) {
  if (!code) return t("The one I write in");
  return new Intl.DisplayNames(code, { type: "language" }).of(code);
}
