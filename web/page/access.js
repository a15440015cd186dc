import { get, post } from "/api.js";
import { copyButton } from "/copy.js";
import { Passwords } from "/passwords.js";
import { Told } from "/told.js";
import { distance } from "/when.js";
import { html, nothing, repeat, sure } from "/ui.js";
import { day, moment, t } from "/words.js";

const LINK = 10 * 60_000; // milliseconds for which a login link is good

// Access is the room of who may act as the owner: browsers that are logged in,
// tokens of scripts, and a password.
export class Access {
  #app;
  #list;
  #passwords;
  #link = null; // {link, svg, until} of the login link that was asked for
  #token = ""; // the token that was made, shown this once
  #wrong = ""; // why none was made

  constructor(app) {
    this.#app = app;
    this.#list = new Told(app, () => get("/api/access"));
    this.#passwords = new Passwords(app, () => this.#list.look());
  }

  look() {
    this.#list.look();
  }

  changed(topics) {
    this.#list.changed(topics, "access");
  }

  view() {
    return html`
      <div>
        <h2 tabindex="-1">${t("Access")}</h2>
        ${this.#list.view((list) => {
          const logins = list.logins ?? [];
          return html`
            ${this.#browsers(logins.filter((l) => !l.token))}
            ${this.#tokens(logins.filter((l) => l.token))}
            ${this.#passwords.view(list.password ?? "")}`;
        })}
      </div>`;
  }

  #browsers(all) {
    const others = all.filter((l) => !l.current);
    return html`
      <section aria-labelledby="browsers">
        <h3 id="browsers" tabindex="-1">${t("Browsers that are logged in")}</h3>
        <ul class="card rows">${repeat(all, (l) => l.id, (l) => this.#row(l))}</ul>
        <div class="row">
          <button class="action plain" @click=${() => this.#newLink()}>${t("Log in another device")}</button>
          ${others.length > 1 ? html`<button class="action danger" @click=${() => this.#endOthers()}>${t("Log out all others…")}</button>` : nothing}
        </div>
        ${this.#link ? this.#linkView(this.#link) : nothing}
      </section>`;
  }

  #row(l) {
    const name = l.name || t("A browser");
    return html`
      <li>
        <div>
          <strong dir="auto">${name}</strong> ${l.current ? html`<span class="mark">${t("this one")}</span>` : nothing}
          <p>${l.token ? t("Made on {0}.", day(l.made)) : t("Logged in on {0}.", day(l.made))} ${l.current ? nothing : t("Last seen {0}.", distance(l.seen))}
            ${l.expires ? t("Ends on {0}.", day(l.expires)) : nothing}</p>
        </div>
        ${l.current ? nothing : html`<button class="quiet" aria-label=${l.token ? t("Revoke {0}", name) : t("Log out {0}", name)} @click=${() => this.#end(l, name)}>${l.token ? t("Revoke…") : t("Log out…")}</button>`}
      </li>`;
  }

  async #end(l, name) {
    const yes = await sure(l.token
      ? { title: t("Revoke {0}?", name), body: html`<p>${t("Scripts that use it are refused from now on.")}</p>`, yes: t("Revoke"), danger: true }
      : { title: t("Log out {0}?", name), body: html`<p>${t("Its pages are closed at once. It needs a fresh link to come back.")}</p>`, yes: t("Log out"), danger: true });
    if (!yes) return;
    const done = await this.#app.run(() => post("/api/access/revoke", { id: l.id }));
    if (done) this.#app.tell(l.token ? t("{0} is revoked.", name) : t("{0} is logged out.", name));
    await this.#list.look();
    document.getElementById(l.token ? "tokens" : "browsers")?.focus(); // the button is gone
  }

  async #endOthers() {
    if (!(await sure({ title: t("Log out all other browsers?"), body: html`<p>${t("Only this one stays logged in.")}</p>`, yes: t("Log out"), danger: true }))) return;
    const done = await this.#app.run(() => post("/api/access/revoke", { others: true }));
    if (done) this.#app.tell(t("All others are logged out."));
    await this.#list.look();
    document.getElementById("browsers")?.focus();
  }

  async #newLink() {
    const answer = await this.#app.run(() => post("/api/login"));
    if (answer) this.#link = { ...answer, until: Date.now() + LINK };
    this.#app.update();
  }

  #linkView({ link, svg, until }) {
    return html`
      <div class="card secretly" role="status">
        <p>${t("Open this on the other device. It works once, until {0}; whoever opens it is you.", moment(until))}</p>
        <p><code class="secret" dir="ltr">${link}</code> ${copyButton(this.#app, link)}</p>
        ${isHere(link) ? html`<p>${t("This address works on this machine alone. To reach the page from others, set NACRE_WEB_URL.")}</p>`
          : html`<img class="qr" alt=${t("The link as a QR code")} width="240" height="240" src=${"data:image/svg+xml," + encodeURIComponent(svg)}>`}
      </div>`;
  }

  #tokens(all) {
    return html`
      <section aria-labelledby="tokens">
        <h3 id="tokens" tabindex="-1">${t("Tokens for scripts")}</h3>
        <p>${t("A script with a token can do as you whatever this page can. It sends the header “Authorization: Bearer” with the token.")}</p>
        ${all.length ? html`<ul class="card rows">${repeat(all, (l) => l.id, (l) => this.#row(l))}</ul>` : nothing}
        <form class="ask" @submit=${(e) => this.#make(e)}>
          <label for="token-name">${t("What is it for?")}</label>
          <div class="row">
            <input id="token-name" required maxlength="40" autocomplete="off" dir="auto" placeholder=${t("backup script")} aria-invalid=${this.#wrong ? "true" : nothing} aria-describedby="token-wrong">
            <button class="action plain">${t("Make a token")}</button>
          </div>
          <p id="token-wrong" class="bad said" role="alert">${this.#wrong}</p>
        </form>
        ${this.#token ? html`
          <div class="card secretly" role="status">
            <p>${t("This is the token. It is shown this once; keep it where nobody else reads it.")}</p>
            <p><code id="token" class="secret" dir="ltr">${this.#token}</code> ${copyButton(this.#app, this.#token)}</p>
            <button class="quiet" @click=${() => this.#hide()}>${t("I have kept it")}</button>
          </div>` : nothing}
      </section>`;
  }

  async #make(e) {
    e.preventDefault();
    const field = e.target.querySelector("input");
    try {
      this.#token = (await post("/api/access/token", { name: field.value })).token;
      this.#wrong = field.value = "";
      await this.#list.look();
    } catch (problem) {
      this.#wrong = problem.message;
      field.focus();
    }
    this.#app.update();
  }

  #hide() {
    this.#token = "";
    this.#app.update();
    document.getElementById("tokens").focus();
  }
}

// isHere reports whether a link leads to the machine on which it is opened, so that
// a phone has nothing of it.
function isHere(link) {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(link).hostname);
}
