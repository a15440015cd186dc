import { post } from "/api.js";
import { copyButton } from "/copy.js";
import { save } from "/saving.js";
import { html, nothing } from "/ui.js";
import { count, t } from "/words.js";

const FOREIGN = "Not ours:"; // how the server begins to speak of checkpoints that it does not know

// Verifying proves that nobody changed the log behind its back, and makes anew what is
// made of it.
export class Verifying {
  #app;
  #store;
  #result = null; // a Verification
  #rebuilt = null;
  #pasted = ""; // checkpoints
  #busy = false;

  constructor(app, store) {
    this.#app = app;
    this.#store = store;
  }

  view() {
    return html`
      <section class="verify">
        <h3>${t("Is the log as it was written?")}</h3>
        <p>${t("All entries go into one number, which would be another if any of them were changed. This recomputes it for the log of the whole installation.")}</p>
        <div class="row">
          <button class="action" @click=${() => this.#verify({})}>${t("Check the log")}</button>
          <button class="action plain" @click=${() => this.#verify({ sign: true })}>${t("Sign a checkpoint")}</button>
        </div>
        <div role="status">${this.#busy ? html`<p class="faint">${t("Reading the whole log…")}</p>` : this.#result ? this.#verdict(this.#result) : nothing}</div>
        ${this.#signed()}
        <details>
          <summary>${t("Check it against a checkpoint from elsewhere")}</summary>
          <form @submit=${(e) => (e.preventDefault(), this.#verify({ checkpoints: [this.#pasted.trim() + "\n"] }))}>
            <label class="field"><span>${t("The checkpoint")}</span>
              <textarea class="mono" spellcheck="false" .value=${this.#pasted} @input=${(e) => (this.#pasted = e.target.value, this.#app.update())}></textarea>
              <small>${t("All of it, also the empty line and the one that begins with a dash.")}</small></label>
            <button class="action plain" ?disabled=${!this.#pasted.trim()}>${t("Check against it")}</button>
          </form>
        </details>
        <details>
          <summary>${t("Rebuild memory from the log")}</summary>
          <p>${t("Notes are nothing but what the log says. This makes all of them anew from it and compares them with those in use. Nothing is lost.")}</p>
          <button class="action plain" @click=${() => this.#rebuild()}>${t("Rebuild")}</button>
          <div role="status">${this.#rebuilt ? this.#anew(this.#rebuilt) : nothing}</div>
        </details>
      </section>`;
  }

  #verdict(v) {
    if (v.findings.length && v.findings.every((f) => f.startsWith(FOREIGN))) return html`<div class="problem"><p>${t("This is no checkpoint of this log, or not all of it.")}</p></div>`;
    if (!v.ok) return this.#wrong(v);
    return html`
      <div class="card">
        <p><strong class="mark">${t("All is well.")}</strong> ${count(v.size, "The log has {0} entry, and it is as it was written.", "The log has {0} entries, and all are as they were written.")}
          ${v.anchored ? count(v.anchored, "The checkpoint proves that for the first of them.", "The checkpoint proves that for the first {0} of them.") : nothing}</p>
        <p class="faint">${t("Their number:")} <code>${v.root}</code></p>
      </div>`;
  }

  #wrong(v) {
    return html`
      <div class="problem"><p><strong>${t("The log is not as it was written.")}</strong></p></div>
      <ul class="findings">${v.findings.map((f) => html`<li>${t(f)}</li>`)}
        ${v.omitted ? html`<li>${count(v.omitted, "and {0} more", "and {0} more")}</li>` : nothing}</ul>
      <p>${t("Restore a backup from before, and find out who else can write to the disk of this installation.")}</p>`;
  }

  // signed shows a checkpoint, which is worth something only elsewhere.
  #signed() {
    const text = this.#result?.signed;
    return text ? html`
      <p>${t("Keep this checkpoint somewhere else, such as on paper or in another account. With it you can prove later that nothing that is in the log now was changed or cut off.")}</p>
      <pre class="mono" tabindex="0" aria-label=${t("The checkpoint")}>${text}</pre>
      <p class="row">${copyButton(this.#app, text)}
        <button class="quiet" @click=${() => save("nacre-checkpoint.txt", text)}>${t("Download")}</button></p>` : nothing;
  }

  #anew({ notes, same, edits }) {
    return html`
      <p class=${same ? "" : "bad"}>${count(notes, "{0} note was rebuilt.", "{0} notes were rebuilt.")}
        ${same ? t("It is the same as what was in use.") : t("It is not the same as what was in use. What is in use now is what the log says.")}</p>
      ${edits ? html`<p>${t(edits)}</p>` : nothing}`;
  }

  async #verify(check) {
    if (this.#busy) return;
    this.#busy = true;
    this.#app.update();
    this.#result = (await this.#app.run(() => post("/api/memory/verify", check))) ?? null;
    this.#busy = false;
    this.#app.update();
  }

  async #rebuild() {
    this.#rebuilt = (await this.#app.run(() => post("/api/memory/rebuild"))) ?? null;
    await this.#store.load();
  }
}
