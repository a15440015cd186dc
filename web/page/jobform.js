import { post } from "/api.js";
import { html, modal, nothing, problem } from "/ui.js";
import { length, whenWords } from "/when.js";
import { t } from "/words.js";

const LONGEST = 2000; // characters of the words of a job
const OFFSET = /^[+-]/; // of a zone without a name, in which no job can be
const GRACES = [5 * 60, 3600, 12 * 3600, 24 * 3600, 7 * 24 * 3600]; // seconds

// askJob asks for a new job, or for what is to change of one. It resolves to the job
// as the server then has it; undefined if it was left.
export function askJob(app, job) {
  const form = new JobForm(app.me.zone, job);
  return modal((close, update) => form.view(close, update), (close) => form.untouched() && close());
}

// JobForm is what a job is made of. Without a job it makes one.
class JobForm {
  #home; // the zone in which the owner lives
  #job;
  #kind;
  #way = "words"; // how they say when: words, date or cron
  #error = null; // the Problem of the last try
  #busy = false;

  constructor(home, job) {
    this.#home = home;
    this.#job = job;
    this.#kind = job?.kind ?? "reminder";
  }

  view(close, update) {
    const heartbeat = this.#kind === "heartbeat";
    return html`
      <form class="jobform" @submit=${(e) => this.#submit(e, close, update)}>
        <h2>${this.#job ? t("Edit job {0}", this.#job.number) : t("New job")}</h2>
        ${heartbeat ? nothing : html`${this.#kinds(update)}${this.#words()}`}
        ${this.#when(update)}
        ${this.#more(heartbeat)}
        ${this.#error && this.#error.kind !== "invalid" ? problem(this.#error.message) : nothing}
        <div class="row end">
          <button class="action plain" type="button" @click=${() => close()}>${t("Cancel")}</button>
          <button class="action" aria-busy=${this.#busy ? "true" : nothing}>${this.#job ? t("Save") : t("Make it")}</button>
        </div>
      </form>`;
  }

  #kinds(update) {
    const choose = (kind) => {
      this.#kind = kind;
      update();
    };
    const radio = (kind, name, hint) => html`
      <label class="choice"><input type="radio" name="kind" value=${kind} ?checked=${this.#kind === kind} @change=${() => choose(kind)}>
        <span><strong>${name}</strong><small>${hint}</small></span></label>`;
    return html`
      <fieldset class="choices">
        <legend>${t("What is it?")}</legend>
        ${radio("reminder", t("Reminder"), t("its words are said to you"))}
        ${radio("task", t("Task"), t("a model does it and tells you, which costs money"))}
      </fieldset>`;
  }

  #words() {
    const label = this.#kind === "task" ? t("What to do") : t("What to say");
    return html`
      <label class="field"><span>${label}</span>
        <textarea name="text" dir="auto" required maxlength=${LONGEST} rows="3" .value=${this.#job?.text ?? ""}></textarea></label>`;
  }

  // when asks when it is due; an error of the server is about that, because the page
  // lets nothing else be wrong.
  #when(update) {
    const ways = { words: t("In words"), date: t("Once, on a date"), cron: t("Cron expression") };
    const choose = (e) => {
      this.#way = e.target.value;
      update();
    };
    return html`
      <fieldset class="when">
        <legend>${t("When?")}</legend>
        <select aria-label=${t("How to say when")} @change=${choose}>${Object.entries(ways).map(([way, name]) => html`<option value=${way} ?selected=${way === this.#way}>${name}</option>`)}</select>
        ${this.#wayField()}
        <p id="when-error" class="bad said" role="alert">${this.#error?.kind === "invalid" ? this.#error.message : ""}</p>
        <small id="when-hint">${this.#hint()} ${t("By the clock of {0}, unless another zone is named below.", this.#job?.schedule.zone || this.#home)}</small>
      </fieldset>`;
  }

  #wayField() {
    const wrong = this.#error?.kind === "invalid" ? "true" : nothing;
    const needed = this.#way !== "words"; // words may stand in the text, or what is may stay
    switch (this.#way) {
      case "date":
        return html`<input name="date" type="datetime-local" aria-label=${t("Date and time")} ?required=${needed} aria-invalid=${wrong} aria-describedby="when-error when-hint">`;
      case "cron":
        return html`<input name="cron" dir="ltr" autocomplete="off" spellcheck="false" placeholder="0 9 * * 1" aria-label=${t("Cron expression")} ?required=${needed} aria-invalid=${wrong} aria-describedby="when-error when-hint">`;
    }
    return html`<input name="at" dir="auto" autocomplete="off" placeholder=${t("tomorrow 9:00")} aria-label=${t("When, in words")} aria-invalid=${wrong} aria-describedby="when-error when-hint">`;
  }

  #hint() {
    const now = this.#job ? t("Now: {0}. Left empty, it stays so.", whenWords(this.#job, this.#home)) : "";
    if (this.#way === "cron") return t("Minute, hour, day of the month, month, day of the week.");
    if (this.#way === "date") return "";
    return now || t("Such as “tomorrow 9:00”, “in 20 minutes” or “every Monday at 8”.");
  }

  #more(heartbeat) {
    const zone = this.#job?.schedule.zone ?? "";
    return html`
      <details>
        <summary>${t("More")}</summary>
        <label class="field"><span>${t("Zone whose clock counts")}</span>
          <input name="zone" dir="ltr" list="job-zones" autocomplete="off" spellcheck="false" value=${zone} placeholder=${this.#home}></label>
        <datalist id="job-zones">${Intl.supportedValuesOf("timeZone").map((z) => html`<option value=${z}></option>`)}</datalist>
        <label class="field"><span>${t("A time that is missed is made up for within")}</span>
          <select name="grace">
            <option value="">${this.#job ? t("as it is") : t("{0}, as usual", length(12 * 3600))}</option>
            ${GRACES.map((g) => html`<option value="${g}s">${length(g)}</option>`)}
          </select></label>
        ${this.#kind === "task" && !heartbeat ? html`
          <label class="field check"><input name="may_plan" type="checkbox" ?checked=${this.#job?.may_plan}><span>${t("It may make and change jobs by itself")}</span></label>` : nothing}
      </details>`;
  }

  // untouched reports whether nothing stands in it but what the job is.
  untouched() {
    return this.#job !== undefined && Object.keys(this.#wish(document.querySelector("form.jobform"))).length === 1;
  }

  async #submit(e, close, update) {
    e.preventDefault();
    const wish = this.#wish(e.target);
    if (this.#busy) return;
    if (this.#job && Object.keys(wish).length === 1) {
      close(); // only its number: nothing is to change
      return;
    }
    this.#busy = true;
    update();
    try {
      close(await post(this.#job ? "/api/jobs/edit" : "/api/jobs/add", wish));
    } catch (problem) {
      this.#error = problem;
      this.#busy = false;
      update();
      if (problem.kind === "invalid") e.target.querySelector(".when input").focus();
    }
  }

  // wish is what the form says; of a job that is there, what is different.
  #wish(form) {
    const said = Object.fromEntries(new FormData(form));
    const was = this.#job;
    const wish = { at: said.at ?? said.date?.replace("T", " "), cron: said.cron, grace: said.grace };
    if (said.text !== was?.text) wish.text = said.text;
    if (said.kind !== was?.kind) wish.kind = said.kind;
    if (said.zone !== (was?.schedule.zone ?? "")) wish.zone = said.zone || (OFFSET.test(this.#home) ? "" : this.#home);
    const mayPlan = said.kind === "task" && said.may_plan !== undefined;
    if (mayPlan !== Boolean(was?.may_plan)) wish.may_plan = mayPlan;
    if (was) wish.job = was.number;
    return Object.fromEntries(Object.entries(wish).filter(([, v]) => v !== undefined && v !== ""));
  }
}
