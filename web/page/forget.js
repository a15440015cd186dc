import { post } from "/api.js";
import { standing, statusName } from "/labels.js";
import { counted, lost, receipt, verdict } from "/receipt.js";
import { field, html, modal, nothing, problem } from "/ui.js";
import { count, t } from "/words.js";

const SHOWN = 6; // notes of a plan, before only their number is said

// forget asks how much is to be forgotten, shows what would go, forgets it when that
// is wanted, and shows the receipt. wish has the note or the words that are meant, and
// the size to begin with; of a wish with neither, the size is given. It returns
// whether anything was forgotten.
export async function forget(app, store, wish) {
  const f = new Forgetting(store, wish);
  await modal((close, update) => f.view(close, update), (close) => f.overtaken(close));
  if (!f.receipt) return false;
  app.tell(verdict(f.receipt)); // in the place of a notice that may repeat what is forgotten
  return true;
}

class Forgetting {
  receipt = null; // of what was forgotten
  #store;
  #note; // the note that is meant; undefined for none
  #wish; // {size, note, words}, as it is asked for
  #told; // the words with which it began
  #step = "size"; // then plan, receipt
  #plan = null;
  #moved = false; // memory changed after the plan was shown
  #typed = "";
  #busy = false;
  #error = "";
  #update;

  constructor(store, { note, words = "", size }) {
    this.#store = store;
    this.#note = note;
    this.#wish = { size: size ?? (note ? "said" : "about"), words };
    this.#told = words;
  }

  view(close, update) {
    this.#update = update;
    if (this.#step === "plan") return this.#planned(close);
    if (this.#step === "receipt") return this.#received(close);
    return this.#asking(close);
  }

  // overtaken drops a plan when something was forgotten elsewhere; words that were typed
  // here stay.
  overtaken(close) {
    if (this.#step === "receipt" || (this.#step === "plan" && this.#busy)) return; // it is ours
    this.#plan = null;
    if (this.#wish.words === this.#told) close();
    else this.#go("size");
  }

  // asked is the forgetting as the server wants it.
  #asked() {
    const { size, words } = this.#wish;
    return { size, note: size === "note" || size === "said" ? this.#note.id : undefined, words: size === "about" ? words.trim() : undefined };
  }

  // asking asks how much.
  #asking(close) {
    const { size, words } = this.#wish;
    const ready = size !== "about" || words.trim();
    return html`
      <h2 id="asked" tabindex="-1">${t("How much shall be forgotten?")}</h2>
      <form @submit=${(e) => this.#look(e)}>
        <fieldset class="sizes">
          <legend class="hidden">${t("How much shall be forgotten?")}</legend>
          ${size === "hidden" ? html`<p>${t("All notes about sensitive topics that are switched off, and where you said them.")}</p>` : sizes(this.#note).map((s) => this.#size(s))}
        </fieldset>
        ${size === "about" ? field(t("What it is about"), html`<input dir="auto" maxlength="200" .value=${words} @input=${(e) => this.#set({ words: e.target.value })}>`, t("A name, a place, a thing: everything that speaks of it goes.")) : nothing}
        ${problem(this.#error)}
        <div class="row end">
          <button type="button" class="action plain" @click=${() => close()}>${t("Cancel")}</button>
          <button class="action" ?disabled=${this.#busy || !ready}>${t("Show what would go")}</button>
        </div>
      </form>`;
  }

  #size(size) {
    const [name, meaning] = sizeWords(size);
    return html`<label class="field check"><input type="radio" name="size" .checked=${this.#wish.size === size} @change=${() => this.#set({ size })}>
      <span><strong>${name}</strong><small>${meaning}</small></span></label>`;
  }

  #set(wish) {
    this.#error = "";
    this.#wish = { ...this.#wish, ...wish };
    this.#update();
  }

  // look shows what would go.
  #look(e) {
    e.preventDefault();
    this.#moved = false;
    return this.#do(async () => this.#take(await post("/api/memory/plan", this.#asked())));
  }

  #take(plan) {
    this.#plan = plan;
    this.#go("plan");
  }

  // planned shows what would go, and asks once more.
  #planned(close) {
    const { size, notes, counts } = this.#plan;
    const nothingSaid = !notes.length && size !== "all" && !counted(counts ?? {});
    return html`
      <h2 id="asked" tabindex="-1">${t("This would be forgotten")}</h2>
      ${this.#moved ? html`<p class="note" role="alert">${t("Memory changed while you were looking. Nothing was forgotten yet; this is what would go now.")}</p>` : nothing}
      ${nothingSaid ? html`<p>${t("Nothing that is kept speaks of it. It can only stand in what you wrote yourself in MEMORY.md and SOUL.md, and be blanked out there.")}</p>` : this.#going()}
      ${size === "all" ? field(t("Type {0} to go on", t("everything")), html`<input autocomplete="off" .value=${this.#typed} @input=${(e) => this.#type(e.target.value)}>`) : nothing}
      <p><strong>${t("This cannot be undone.")}</strong></p>
      ${problem(this.#error)}
      <div class="row end">
        <button class="action plain" @click=${() => close()}>${t("Cancel")}</button>
        <button class="action plain" @click=${() => this.#go("size")}>${t("Back")}</button>
        <button class="action danger" ?disabled=${this.#busy || !this.#sure()} @click=${() => this.#forget(nothingSaid)}>${nothingSaid ? t("Blank it out there") : t("Forget it")}</button>
      </div>`;
  }

  #going() {
    const { size, notes, counts } = this.#plan;
    if (size === "all") return html`<p>${count(notes.length, "{0} note, and all messages, answers, files, jobs and settings that are kept of you.", "{0} notes, and all messages, answers, files, jobs and settings that are kept of you.")}</p>
      <p>${t("The password of your page goes too, and what your tokens are called.")}</p>`;
    const said = counted(counts ?? {});
    return html`
      ${notes.length ? html`<ul class="going">${notes.slice(0, SHOWN).map((n) => html`<li><bdi dir="auto">${n.text}</bdi> <small>${statusName(standing(n))}</small></li>`)}</ul>` : html`<p>${t("No note speaks of it.")}</p>`}
      ${notes.length > SHOWN ? html`<p>${count(notes.length - SHOWN, "And {0} more note.", "And {0} more notes.")}</p>` : nothing}
      ${said ? html`<p>${t("It would be blanked out where else it is kept: {0}.", said)}</p>` : nothing}
      ${lost(counts ?? {}) ? html`<p>${lost(counts)}</p>` : nothing}`;
  }

  #type(text) {
    this.#typed = text;
    this.#update();
  }

  #sure() {
    return this.#plan.size !== "all" || this.#typed.trim().toLowerCase() === t("everything");
  }

  // forget carries the plan out that was shown. If memory changed since, the new plan
  // is shown.
  #forget(cut) {
    return this.#do(async () => {
      try {
        this.receipt = await post("/api/memory/forget", { ...this.#asked(), base: this.#plan.base, cut: cut || undefined });
      } catch (e) {
        if (e.kind !== "conflict") throw e;
        this.#moved = true;
        return this.#take(await post("/api/memory/plan", this.#asked()));
      }
      this.#store.load();
      this.#go("receipt");
    });
  }

  #received(close) {
    return html`${receipt(this.receipt)}
      ${this.receipt.prose?.length ? html`<p>${t("You can have it blanked out there too, word by word. The rest of what you wrote stays.")}</p>
        <div class="row"><button class="action plain" ?disabled=${this.#busy} @click=${() => this.#cut()}>${t("Blank it out there too")}</button></div>` : nothing}
      ${problem(this.#error)}
      <div class="row end"><button class="action" @click=${() => close()}>${t("Done")}</button></div>`;
  }

  // cut has the owner's own prose blanked out too.
  #cut() {
    return this.#do(async () => {
      await post("/api/memory/forget", { size: "", cut: true });
      this.receipt = { ...this.receipt, prose: [], cut: this.receipt.prose };
      this.#go("receipt");
    });
  }

  async #do(work) {
    this.#busy = true;
    this.#error = "";
    this.#update();
    try {
      await work();
    } catch (e) {
      this.#error = e.message;
    }
    this.#busy = false;
    this.#update();
  }

  // go shows the next step, and leads those there who read with their ears or keys.
  #go(step) {
    this.#step = step;
    this.#error = "";
    this.#typed = "";
    this.#update();
    document.querySelector("dialog[open] h2").focus();
  }
}

// sizes are what can be chosen.
function sizes(note) {
  return note ? ["note", "said", "about", "all"] : ["about", "all"];
}

function sizeWords(size) {
  return {
    note: [t("Only the note"), t("In all its versions. What you said stays in your history.")],
    said: [t("The note, and where you said it"), t("Also the words in your messages that it rests on, and answers that repeat them.")],
    about: [t("Everything that speaks of it"), t("All notes, messages, answers and files that speak of the same.")],
    all: [t("Everything"), t("All that is kept of you: notes, messages, answers, files, jobs, settings and your password.")],
  }[size];
}
