import { ask, sentence } from "/ask.js";

const TICK = 250; // milliseconds between two looks at the time that is left

const $ = (id) => document.getElementById(id);

// WhatsApp is the part of the page where an account is linked and unlinked.
export class WhatsApp {
  #own = false;
  #linked = false;
  #attempt = null; // the controller of the linking that goes on
  #timer = 0;
  #changed;

  // changed is called when an account was linked or unlinked.
  constructor(changed) {
    this.#changed = changed;
    $("by-qr").addEventListener("click", () => this.#link("", $("by-qr")));
    $("by-phone").addEventListener("submit", (e) => {
      e.preventDefault();
      this.#link($("phone").value, $("phone"));
    });
    $("stop").addEventListener("click", () => this.#attempt?.abort());
    $("copy").addEventListener("click", () => this.#copy());
    $("copy").hidden = !navigator.clipboard; // browsers have none without https
    $("unlink").addEventListener("click", () => {
      $("sure").returnValue = ""; // Escape leaves it as it is
      $("sure").showModal();
    });
    $("sure").addEventListener("close", () => $("sure").returnValue === "yes" && this.#unlink());
  }

  // state shows how WhatsApp is set up; undefined means that it is off.
  state(whatsapp) {
    $("off").hidden = whatsapp !== undefined;
    $("whatsapp").hidden = whatsapp === undefined;
    if (!whatsapp) return;
    if (this.#linked && !whatsapp.linked && !this.#attempt) this.#tell(""); // the news were of an account that is gone
    this.#own = whatsapp.own;
    this.#linked = whatsapp.linked;
    this.#arrange();
  }

  // arrange shows what can be done now. A focus that it hides goes there.
  #arrange() {
    const focused = document.activeElement;
    const now = `${this.#own ? "own" : "separate"} ${this.#linked ? "linked" : "unlinked"}`;
    for (const e of document.querySelectorAll("#whatsapp [data-when]")) e.hidden = e.dataset.when !== now;
    $("linking").hidden = !this.#attempt;
    $("ways").hidden = this.#attempt !== null || this.#linked;
    $("unlink").hidden = this.#attempt !== null || !this.#linked;
    if (focused?.checkVisibility() === false) $(this.#attempt ? "stop" : this.#linked ? "unlink" : "by-qr").focus();
  }

  // link links an account by the code that a phone scans or, with a number, by
  // one that is typed there. If that fails, the focus is where it began.
  async #link(phone, from) {
    this.#attempt = new AbortController();
    this.#tell("Asking WhatsApp for a code…");
    this.#wait(phone !== "");
    this.#arrange();
    $("stop").focus();
    try {
      for await (const step of steps(phone, this.#attempt.signal)) this.#step(step);
    } catch (e) {
      if (this.#attempt.signal.aborted) this.#tell("You stopped the linking. Nothing was linked.");
      else this.#tell("", e.message);
    }
    clearInterval(this.#timer);
    this.#attempt = null;
    this.#arrange();
    (this.#linked ? $("news") : from).focus();
    await this.#changed();
  }

  #step(step) {
    if (step.account) {
      this.#linked = true;
      this.#tell(`Linked as ${step.account}. ` + this.#next(step.account));
      return;
    }
    if (step.svg) {
      this.#tell($("qr").hidden ? "Scan the code with the phone." : "Here is a new code.");
      $("qr").src = "data:image/svg+xml," + encodeURIComponent(step.svg);
      $("qr").hidden = false;
    }
    if (step.code) {
      this.#tell("Type the code on the phone.");
      $("news").append(spelled(step.code));
      $("code").firstElementChild.textContent = step.code;
      $("code").hidden = false;
    }
    if (step.left_ms) this.#countDown(step.left_ms);
    $("linking").scrollIntoView({ block: "nearest" });
  }

  #next(account) {
    if (this.#own) return "Now write to yourself on WhatsApp, and Nacre answers there.";
    return `Now write to ${account} from your phone. If it answers with a code, send /pair and the code in the chat here.`;
  }

  // wait shows how a code is used, and that there is none yet.
  #wait(typed) {
    $("scan").hidden = typed;
    $("type").hidden = !typed;
    $("qr").hidden = $("code").hidden = true;
    $("left").textContent = "";
  }

  // countDown shows how long the code is good. It trusts no clock but its own.
  #countDown(milliseconds) {
    const end = performance.now() + milliseconds;
    const show = () => {
      const seconds = Math.ceil((end - performance.now()) / 1000);
      const old = seconds <= 0;
      $("left").textContent = old ? "This code is too old. Wait for the next one." : `Good for ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
      $("linking").classList.toggle("old", old);
      if (old) clearInterval(this.#timer);
    };
    clearInterval(this.#timer);
    this.#timer = setInterval(show, TICK);
    show();
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText($("code").firstElementChild.textContent);
      $("copy").textContent = "Copied";
      setTimeout(() => ($("copy").textContent = "Copy"), 2000);
    } catch {
      this.#tell("", "The browser does not let this page copy. Mark the code and copy it by hand.");
    }
  }

  async #unlink() {
    try {
      await ask("POST", "/v1/whatsapp/unlink");
      this.#linked = false;
      this.#tell("WhatsApp is unlinked.");
    } catch (e) {
      this.#tell("", e.message);
    }
    await this.#changed();
    $(this.#linked ? "unlink" : "by-qr").focus();
  }

  #tell(news, trouble = "") {
    $("news").textContent = news;
    $("trouble").textContent = trouble;
  }
}

// spelled is a code for those who hear the page.
function spelled(code) {
  const e = document.createElement("span");
  e.className = "hidden";
  e.textContent = " It is " + [...code].join(" ") + ".";
  return e;
}

// steps gives the steps of linking an account as the server tells them.
async function* steps(phone, signal) {
  const answer = await ask("POST", "/v1/whatsapp/link", { phone }, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let linked = false;
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const step = JSON.parse(line);
      if (step.error) throw new Error(sentence(step.error));
      linked ||= Boolean(step.account);
      yield step;
    }
  }
  if (!linked) throw new Error("Nacre went away before the account was linked. Try again when it runs.");
}
