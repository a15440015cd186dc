import { post } from "/api.js";
import { strong } from "/strong.js";
import { html, nothing, sure } from "/ui.js";
import { t } from "/words.js";

const LEAST = 10; // characters

// Passwords is the part of the room of access where the owner sets a password, or
// drops it.
export class Passwords {
  #app;
  #changed; // called when it was set or dropped
  #open = false; // the form is shown
  #length = 0; // of what is typed
  #wrong = "";

  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
  }

  // view takes the name for which there is a password; empty if there is none.
  view(name) {
    const say = name
      ? html`<p>${strong(t("You can log in as **{0}** with a password, besides by links.", name))}</p>`
      : html`<p>${t("Without one you log in by links alone: from /web in a chat, or from a browser that is logged in.")}</p>`;
    return html`
      <section aria-labelledby="password">
        <h3 id="password" tabindex="-1">${t("Password")}</h3>
        ${say}
        ${this.#open ? this.#form(name) : html`
          <div class="row">
            <button class="action plain" @click=${() => this.#show(true)}>${name ? t("Change it") : t("Set a password")}</button>
            ${name ? html`<button class="action danger" @click=${() => this.#drop()}>${t("Drop it…")}</button>` : nothing}
          </div>`}
      </section>`;
  }

  #form(name) {
    const left = LEAST - this.#length;
    return html`
      <form class="card" @submit=${(e) => this.#set(e)}>
        <label class="field"><span>${t("Name to log in by")}</span>
          <input name="name" required minlength="2" maxlength="40" pattern="[\\p{L}\\p{N}_.\\-]+" autocomplete="username" autocapitalize="none" spellcheck="false" value=${name}></label>
        <label class="field"><span>${t("New password")}</span>
          <input name="password" type="password" required minlength=${LEAST} autocomplete="new-password" aria-describedby="password-hint" @input=${(e) => this.#typed(e)}>
          <small id="password-hint">${left > 0 ? t("At least 10 characters; {0} more.", left) : t("Long enough. A few words that belong to nothing are better than one with signs.")}</small></label>
        <p class="bad said" role="alert">${this.#wrong}</p>
        <div class="row">
          <button class="action">${t("Save")}</button>
          <button class="action plain" type="button" @click=${() => this.#show(false)}>${t("Cancel")}</button>
        </div>
      </form>`;
  }

  #show(open) {
    this.#open = open;
    this.#length = 0;
    this.#wrong = "";
    this.#app.update();
    queueMicrotask(() => document.querySelector(open ? "input[name=name]" : "#password")?.focus());
  }

  #typed(e) {
    this.#length = [...e.target.value].length;
    this.#app.update();
  }

  async #set(e) {
    e.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(e.target));
    try {
      await post("/api/access/password", { name, password });
    } catch (problem) {
      this.#wrong = problem.message;
      this.#app.update();
      return;
    }
    this.#app.tell(t("The password is set."));
    this.#show(false);
    this.#changed();
  }

  async #drop() {
    if (!(await sure({ title: t("Drop the password?"), body: html`<p>${t("You then log in by links alone.")}</p>`, yes: t("Drop it"), danger: true }))) return;
    if (await this.#app.run(() => post("/api/access/password/drop"))) this.#app.tell(t("The password is dropped."));
    this.#changed();
    document.getElementById("password").focus();
  }
}
