import { get, post } from "/api.js";
import { jobCard, jobTitle } from "/jobcard.js";
import { askJob } from "/jobform.js";
import { Told } from "/told.js";
import { Rounds } from "/rounds.js";
import { runList } from "/runs.js";
import { empty, html, nothing, repeat, sure } from "/ui.js";
import { distance } from "/when.js";
import { count, t } from "/words.js";

const STALE = 30_000; // milliseconds after which "in 5 minutes" is written anew
const MORE = 20; // runs
const MOST = 200; // runs that the server tells

// Jobs is the room of what the owner has planned, and of what ran.
export class Jobs {
  #app;
  #list;
  #runs;
  #rounds;
  #sheets = new Map(); // number of a job that is open → what is told of it
  #over = false; // also those that are finished
  #most = MORE;
  #timer = 0;

  constructor(app) {
    this.#app = app;
    this.#list = new Told(app, () => get("/api/jobs", { over: this.#over }));
    this.#runs = new Told(app, () => get("/api/jobs/runs", { most: this.#most }));
    this.#rounds = new Rounds(app, () => this.#look());
  }

  enter() {
    this.#look();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#app.update(), STALE);
  }

  leave() {
    clearInterval(this.#timer);
  }

  changed(topics) {
    for (const one of this.#all()) one.changed(topics, "jobs");
  }

  async #look() {
    await Promise.all(this.#all().map((one) => one.look()));
  }

  #all() {
    return [this.#list, this.#runs, this.#rounds, ...this.#sheets.values()];
  }

  view() {
    return html`
      <div>
        <div class="head">
          <h2 tabindex="-1">${t("Jobs")}</h2>
          <button class="action" @click=${() => this.#make()}>${t("New job")}</button>
        </div>
        ${this.#list.view((list) => this.#jobs(list))}
        <h2>${t("What ran")}</h2>
        ${this.#runs.view((runs) => html`
          ${runList(runs, true)}
          ${runs.length === this.#most && this.#most < MOST ? html`<button class="quiet" @click=${() => this.#earlier()}>${t("Show earlier ones")}</button>` : nothing}`)}
        ${this.#rounds.view()}
      </div>`;
  }

  #jobs({ jobs, over }) {
    const none = empty(t("Nothing is planned."), html`<p>${t("Make a job here, or say in the chat: “remind me tomorrow at 9 to call mum”.")}</p>`);
    return html`
      ${jobs.length ? html`<ul class="joblist">${repeat(jobs, (j) => j.id, (j) => jobCard(j, this.#app.me.zone, this.#on(j), this.#sheets.get(j.number)))}</ul>` : none}
      ${over || this.#over ? html`
        <button class="quiet" aria-pressed=${String(this.#over)} @click=${() => this.#showOver()}>${this.#over ? t("Hide those that are over") : count(over, "Show one that is over", "Show {0} that are over")}</button>` : nothing}`;
  }

  #on(job) {
    return {
      edit: () => this.#edit(job),
      do: (verb) => this.#do(job, verb),
      opened: (open) => this.#opened(job.number, open),
    };
  }

  async #make() {
    const job = await askJob(this.#app);
    if (!job) return;
    this.#app.tell(job.next ? t("Planned: {0}.", distance(job.next)) : t("Planned."));
    await this.#look();
  }

  async #edit(job) {
    const changed = await askJob(this.#app, job);
    if (!changed) return;
    this.#app.tell(t("Saved."));
    await this.#look();
  }

  async #do(job, verb) {
    if (verb === "delete" && !(await this.#sure(job))) return;
    const done = await this.#app.run(() => post("/api/jobs/do", { job: job.number, do: verb }));
    if (done) this.#app.tell(saying(verb, job.number));
    await this.#look();
    if (done && verb === "delete") document.querySelector("main h2").focus(); // the button is gone
  }

  #sure(job) {
    return sure({
      title: t("Delete job {0}?", job.number),
      body: html`<p class="excerpt" dir="auto">${jobTitle(job)}</p><p>${t("It does not come due any more. What it said stays in the chat.")}</p>`,
      yes: t("Delete"), danger: true,
    });
  }

  #opened(number, open) {
    if (!open) return this.#sheets.delete(number);
    const sheet = new Told(this.#app, () => post("/api/jobs/show", { job: number }));
    this.#sheets.set(number, sheet);
    return sheet.look();
  }

  #showOver() {
    this.#over = !this.#over;
    this.#list.look();
  }

  #earlier() {
    this.#most = Math.min(this.#most * 3, MOST);
    this.#runs.look();
  }
}

// saying is what was done with a job.
function saying(verb, number) {
  switch (verb) {
    case "pause":
      return t("Job {0} is paused.", number);
    case "resume":
      return t("Job {0} goes on.", number);
    case "run":
      return t("Job {0} runs now.", number);
  }
  return t("Job {0} is deleted.", number);
}
