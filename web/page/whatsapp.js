import { ask, lines, post, sentence } from "/api.js";
import { copyButton } from "/copy.js";
import { strong } from "/strong.js";
import { html, nothing, sure } from "/ui.js";
import { count, t } from "/words.js";

const TICK = 250; // milliseconds between two looks at the time that is left

const $ = (id) => document.getElementById(id);

// WhatsApp is the part of the room of channels where an account is linked and
// unlinked. A linking goes on while other rooms are looked at.
export class WhatsApp {
  #app;
  #changed;
  #is; // as the status tells it; undefined while WhatsApp is off
  #attempt = null; // the controller of the linking that goes on
  #typed = false; // its code is typed on the phone, not scanned
  #picture = ""; // the code to scan, as an address
  #code = ""; // the code to type
  #end = 0; // when either is too old, by performance.now()
  #left = 0; // seconds until then
  #timer = 0;
  #news = "";
  #spelled = ""; // more news, for those who hear the page
  #trouble = "";

  // changed is called when an account was linked or unlinked.
  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
  }

  // state takes how WhatsApp is set up; undefined means that it is off.
  state(is) {
    if (this.#is?.linked && !is?.linked && !this.#attempt) this.#tell(""); // the news were of an account that is gone
    this.#is = is;
    this.#show();
  }

  // show shows what can be done now. A focus that this hides goes there.
  #show() {
    const focused = document.activeElement;
    this.#after(() => {
      if (focused?.checkVisibility() === false) this.#focus(this.#attempt ? "stop" : this.#is?.linked ? "unlink" : "by-qr");
    });
  }

  // after shows what is, and then does something with what is shown.
  #after(then) {
    this.#app.update();
    queueMicrotask(then);
  }

  #focus(id) {
    $(id)?.focus(); // another room may be shown
  }

  #tell(news, trouble = "") {
    this.#news = news;
    this.#spelled = "";
    this.#trouble = trouble;
  }

  // link links an account by the code that a phone scans or, with a number, by
  // one that is typed there. If that fails, the focus is where it began.
  async #link(phone, from) {
    this.#attempt = new AbortController();
    this.#typed = phone !== "";
    this.#picture = this.#code = "";
    this.#end = 0;
    this.#tell(t("Asking WhatsApp for a code…"));
    this.#after(() => this.#focus("stop"));
    try {
      for await (const step of steps(phone, this.#attempt.signal)) this.#step(step);
    } catch (e) {
      if (this.#attempt.signal.aborted) this.#tell(t("You stopped the linking. Nothing was linked."));
      else this.#tell("", e.message);
    }
    clearInterval(this.#timer);
    this.#attempt = null;
    this.#after(() => this.#focus(this.#is?.linked ? "news" : from));
    await this.#changed();
  }

  #step(step) {
    if (step.account) {
      this.#is = { ...this.#is, linked: true };
      this.#tell(t("Linked as {0}.", step.account) + " " + this.#next(step.account));
      return;
    }
    if (step.svg) {
      this.#tell(this.#picture ? t("Here is a new code.") : t("Scan the code with the phone."));
      this.#picture = "data:image/svg+xml," + encodeURIComponent(step.svg);
    }
    if (step.code) {
      this.#tell(t("Type the code on the phone."));
      this.#spelled = " " + t("It is {0}.", [...step.code].join(" "));
      this.#code = step.code;
    }
    if (step.left_ms) this.#countDown(step.left_ms);
    this.#after(() => $("linking")?.scrollIntoView({ block: "nearest" }));
  }

  #next(account) {
    if (this.#is.own) return t("Now write to yourself on WhatsApp, and Nacre answers there.");
    return t("Now open “With a code” above, show a code to join with, and send that to {0} from your phone: then it knows you there.", account);
  }

  // countDown shows how long the code is good. It trusts no clock but its own.
  #countDown(milliseconds) {
    this.#end = performance.now() + milliseconds;
    const look = () => {
      const left = Math.ceil((this.#end - performance.now()) / 1000);
      if (left === this.#left) return;
      this.#left = left;
      this.#app.update();
      if (left <= 0) clearInterval(this.#timer);
    };
    clearInterval(this.#timer);
    this.#timer = setInterval(look, TICK);
    look();
  }

  async #unlink() {
    const yes = await sure({
      title: t("Unlink WhatsApp?"),
      body: html`<p>${t("Nacre gets no messages from WhatsApp any more, and what still waits to be sent there stays here. What was said is kept, and you can link it again.")}</p>`,
      yes: t("Unlink"), no: t("Keep it linked"), danger: true,
    });
    if (!yes) return;
    try {
      await post("/api/whatsapp/unlink");
      this.#is = { ...this.#is, linked: false };
      this.#tell(t("WhatsApp is unlinked."));
    } catch (e) {
      this.#tell("", e.message);
    }
    await this.#changed();
    this.#after(() => this.#focus(this.#is?.linked ? "unlink" : "by-qr"));
  }

  view() {
    if (!this.#is) return html`<p id="off">${strong(t("WhatsApp is off. To use it, set **NACRE_WHATSAPP** to **own** or **separate**, and start Nacre again."))}</p>`;
    const { own, linked } = this.#is;
    return html`
      <section id="whatsapp" aria-labelledby="whatsapp-title">
        <h2 id="whatsapp-title">WhatsApp</h2>
        <p id="meaning">${strong(meaning(own, linked))}</p>
        <p class="note">${t("WhatsApp allows no programs but its own, so this breaks its terms. It can ban a number for it, for a while or for good.")}
          ${own || linked ? nothing : html`<span id="spare">${t("So do not link the number that you live with.")}</span>`}</p>
        <p id="news" role="status" tabindex="-1">${this.#news}${this.#spelled ? html`<span class="hidden">${this.#spelled}</span>` : nothing}</p>
        <p id="trouble" class="bad" role="alert">${this.#trouble}</p>
        ${this.#ways(this.#attempt !== null || linked)}
        ${this.#linking(this.#attempt === null)}
        <button id="unlink" class="quiet" type="button" ?hidden=${this.#attempt !== null || !linked} @click=${() => this.#unlink()}>${t("Unlink WhatsApp…")}</button>
      </section>`;
  }

  #ways(hidden) {
    const byPhone = (e) => {
      e.preventDefault();
      this.#link($("phone").value, "phone");
    };
    return html`
      <div id="ways" class="card" ?hidden=${hidden}>
        <button id="by-qr" class="action" type="button" @click=${() => this.#link("", "by-qr")}>${t("Link by QR code")}</button>
        <form class="ask" @submit=${byPhone}>
          <label for="phone">${t("Or without a camera: the phone number to link, with its country code")}</label>
          <div class="row">
            <input id="phone" type="tel" autocomplete="tel" placeholder="+1 555 000 0001" required>
            <button class="action plain">${t("Link by phone number")}</button>
          </div>
        </form>
      </div>`;
  }

  #linking(hidden) {
    return html`
      <div id="linking" class="card ${this.#end && this.#left <= 0 ? "old" : ""}" ?hidden=${hidden}>
        <ol>
          <li>${t("On the phone, open WhatsApp.")}</li>
          <li>${strong(t("Tap **⋮** (Android) or **Settings** (iPhone), then **Linked devices**, then **Link a device**."))}</li>
          <li>${this.#typed ? strong(t("Tap **Link with phone number instead**, and type this code.")) : t("Point the camera at this code.")}</li>
        </ol>
        <img id="qr" alt=${t("QR code that links WhatsApp")} width="320" height="320" src=${this.#picture || nothing} ?hidden=${!this.#picture}>
        <div id="below">
          <p id="code" ?hidden=${!this.#code}><strong dir="ltr">${this.#code}</strong> ${copyButton(this.#app, this.#code)}</p>
          <p id="left" role="timer">${this.#good()}</p>
          <button id="stop" class="quiet" type="button" @click=${() => this.#attempt?.abort()}>${t("Stop")}</button>
        </div>
      </div>`;
  }

  // good says how long the code can be used.
  #good() {
    if (!this.#end) return "";
    if (this.#left <= 0) return t("This code is too old. Wait for the next one.");
    return count(this.#left, "Good for {0} second.", "Good for {0} seconds.");
  }
}

// meaning is what it means that a number is linked, or would be.
function meaning(own, linked) {
  if (own && linked) return t("**Your own number** is linked: Nacre is one of its devices. It reads and answers only the chat with yourself, and says nothing to anybody else.");
  if (own) return t("Link **your own number**: Nacre becomes one more of its devices. It reads and answers only the chat with yourself, and says nothing to anybody else.");
  if (linked) return t("**A number that is Nacre’s alone** is linked. You write to it as to a person, and so can others whom you admit. In groups it answers when it is mentioned or replied to.");
  return t("Link **a number that is Nacre’s alone**, on a second phone or card. You write to it as to a person, and so can others whom you admit. In groups it answers when it is mentioned or replied to.");
}

// steps gives the steps of linking an account as the server tells them.
async function* steps(phone, signal) {
  let linked = false;
  for await (const step of lines(await ask("POST", "/api/whatsapp/link", { phone }, signal))) {
    if (step.error) throw new Error(sentence(t(step.error)));
    linked ||= Boolean(step.account);
    yield step;
  }
  if (!linked) throw new Error(t("Nacre went away before the account was linked. Try again when it runs."));
}
