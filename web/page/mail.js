import { get, post } from "/api.js";
import { originName } from "/labels.js";
import { phrases } from "/runs.js";
import { strong } from "/strong.js";
import { Told } from "/told.js";
import { field, html, nothing, problem, sure } from "/ui.js";
import { day, moment, t } from "/words.js";

// Mail is the room of the owner's Gmail, from which Nacre learns how they write.
export class Mail {
  #app;
  #sheet;
  #consent = null; // {url, back, since} that is waited for; since is when the account was connected before
  #wrong = ""; // why something was not done
  #news = ""; // what came of learning
  #busy = false;

  constructor(app) {
    this.#app = app;
    this.#sheet = new Told(app, () => get("/api/mail"));
  }

  look() {
    return this.#sheet.look();
  }

  async changed(topics) {
    await this.#sheet.changed(topics, topics.includes("memory") ? "memory" : "settings");
    const s = this.#sheet.is;
    if (!this.#consent || !s?.connected || s.since === this.#consent.since) return;
    this.#consent = null;
    this.#app.tell(t("Gmail is connected. Your sent mail is being read now."));
  }

  view() {
    return html`
      <div>
        <h2 tabindex="-1">Gmail</h2>
        <p>${t("Nacre can learn from your sent mail how you write. It reads what you sent in the last 90 days and notes a short description of your style; of the mails themselves it keeps nothing.")}</p>
        ${this.#sheet.view((s) => html`
          ${problem(s.trouble && t(s.trouble))}
          ${s.connected ? this.#connected(s) : this.#form()}
          ${this.#consent ? this.#waiting(this.#consent) : nothing}
          <p class="bad said" role="alert">${this.#wrong}</p>
          <p class="said" role="status">${this.#news}</p>
          ${s.style ? style(s) : nothing}`)}
      </div>`;
  }

  #connected(s) {
    return html`
      <dl class="facts">
        <dt>${t("Account")}</dt><dd><bdi>${s.address}</bdi></dd>
        <dt>${t("Connected")}</dt><dd>${day(s.since)}</dd>
        <dt>${t("Read last")}</dt><dd>${s.learned ? moment(s.learned) : t("not yet")}</dd>
        <dt>${t("Drafts")}</dt><dd>${s.drafts ? t("It writes them when you ask for one, and never sends.") : t("It may not write any.")}</dd>
      </dl>
      <div class="row">
        <button class="action" aria-busy=${this.#busy ? "true" : nothing} @click=${() => this.#learn()}>${this.#busy ? t("Working…") : t("Learn now")}</button>
        ${s.drafts ? nothing : html`<button class="action plain" @click=${() => this.#ask({ drafts: true })}>${t("Let it write drafts")}</button>`}
        ${s.trouble ? html`<button class="action plain" @click=${() => this.#ask({ drafts: s.drafts ?? false })}>${t("Connect again")}</button>` : nothing}
        <button class="action danger" @click=${() => this.#disconnect()}>${t("Disconnect…")}</button>
      </div>`;
  }

  // form takes the owner's own client at Google, as two texts or as Google's file.
  #form() {
    return html`
      <details class="card">
        <summary>${t("How to make a client at Google")}</summary>
        <ol>
          <li>${strong(t("At **console.cloud.google.com** make a project, and enable the **Gmail API** for it."))}</li>
          <li>${strong(t("Set up the **OAuth consent screen** for the audience **External**, and publish it to **In production**: while it is in testing, consent ends after 7 days."))}</li>
          <li>${strong(t("Under **Credentials** make an **OAuth client ID** of the type **Desktop app**, and download its JSON file."))}</li>
        </ol>
      </details>
      <form @submit=${(e) => this.#submit(e)}>
        ${field(t("Client ID"), html`<input name="id" required dir="ltr" autocomplete="off" spellcheck="false" @input=${(e) => fill(e.target.form, e.target.value)}>`, t("Or paste the whole JSON file here."))}
        ${field(t("Client secret"), html`<input name="secret" type="password" dir="ltr" autocomplete="off">`)}
        <label class="field check"><input type="checkbox" name="drafts"><span>${t("Also let Nacre write drafts when you ask for one. It never sends.")}</span></label>
        <div class="row">
          <button class="action">${t("Connect")}</button>
          <label class="action plain file-choice">${t("Choose the JSON file")}<input class="hidden" type="file" accept=".json,application/json" @change=${(e) => chosen(e)}></label>
        </div>
      </form>`;
  }

  #submit(e) {
    e.preventDefault();
    const { id, secret, drafts } = e.target.elements;
    return this.#ask({ client_id: id.value.trim(), client_secret: secret.value.trim(), drafts: drafts.checked });
  }

  // ask has Google ask for consent, in a tab of its own: browsers let that be opened
  // only at once.
  async #ask(wish) {
    const tab = open("about:blank", "_blank");
    const asked = await this.#try(() => post("/api/mail/connect", { ...wish, at: location.origin }));
    if (!asked) return tab?.close();
    this.#consent = { ...asked, since: this.#sheet.is.since };
    this.#app.update();
    if (!tab) return;
    tab.opener = null;
    tab.location = asked.url;
  }

  #waiting({ url, back }) {
    return html`
      <form class="card" @submit=${(e) => this.#finish(e)}>
        <p><a href=${url} target="_blank" rel="noopener noreferrer">${t("Allow it at Google.")}</a> ${t("Google then sends you to {0}.", back)}</p>
        ${field(t("If that page does not open, paste its address here"), html`<input name="url" type="url" required dir="ltr" autocomplete="off" spellcheck="false">`)}
        <div class="row">
          <button class="action plain">${t("Go on with this address")}</button>
          <button class="action plain" type="button" @click=${() => this.#leave()}>${t("Cancel")}</button>
        </div>
      </form>`;
  }

  async #finish(e) {
    e.preventDefault();
    const sheet = await this.#try(() => post("/api/mail/finish", { url: e.target.elements.url.value }));
    if (!sheet) return;
    this.#sheet.is = sheet;
    this.#leave();
  }

  #leave() {
    this.#consent = null;
    this.#wrong = "";
    this.#app.update();
    document.querySelector("#main h2").focus();
  }

  async #learn() {
    if (this.#busy) return;
    this.#busy = true;
    this.#news = "";
    const text = await this.#try(() => post("/api/mail/learn"));
    this.#busy = false;
    this.#news = text ? phrases(text) : "";
    await this.look();
  }

  async #disconnect() {
    const yes = await sure({ title: t("Disconnect Gmail?"), yes: t("Disconnect"), danger: true,
      body: html`<p>${t("Nacre gives your consent back to Google and reads no mail any more. What it learned of your style stays until you forget the note.")}</p>` });
    const gone = yes && await this.#try(() => post("/api/mail/disconnect"));
    if (!gone) return;
    this.#consent = null;
    this.#app.tell(gone.revoked ? t("Gmail is disconnected.") : t("Gmail is disconnected here. Google could not be told: take your consent back at myaccount.google.com."), !gone.revoked);
    await this.look();
    document.querySelector("#main h2").focus();
  }

  // try does something, and says below what it is about why it failed.
  async #try(work) {
    this.#wrong = "";
    this.#app.update();
    try {
      return await work();
    } catch (e) {
      this.#wrong = e.message;
    }
    this.#app.update();
  }
}

// style is how the owner writes, with the way to the note.
function style(s) {
  return html`
    <h3>${t("How you write")}</h3>
    <div class="card"><p dir="auto">${s.style}</p>
      <p class="quietly">${s.yours ? t("You said so yourself, and that stays.") : originName("email")} · <a href=${"/memory/note/" + s.note}>${t("See it")}</a></p></div>`;
}

async function chosen(e) {
  const [file] = e.target.files;
  const { form } = e.target;
  if (file) fill(form, await file.text());
  e.target.value = "";
}

// fill puts what Google's file says into the fields; other texts are left alone.
function fill(form, text) {
  try {
    const { installed, web } = JSON.parse(text);
    const { client_id, client_secret } = installed ?? web;
    form.elements.id.value = client_id;
    form.elements.secret.value = client_secret ?? "";
  } catch {
    // it is no such file
  }
}
