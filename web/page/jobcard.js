import { placeWords } from "/place.js";
import { runList } from "/runs.js";
import { html, nothing } from "/ui.js";
import { distance, lengthWords, whenWords } from "/when.js";
import { count, moment, t } from "/words.js";

const KINDS = { reminder: () => t("Reminder"), task: () => t("Task"), heartbeat: () => t("Heartbeat") };

const STATES = {
  paused: () => t("Paused"),
  disabled: () => t("Switched off, because it failed too often"),
  parked: () => t("Put aside; resume it to hear why"),
  finished: () => t("Over"),
};

// kindName is what people call a kind of job.
function kindName(kind) {
  return KINDS[kind]();
}

// jobTitle is what a job does.
export function jobTitle(job) {
  if (job.kind === "heartbeat") return t("A look at what is written in HEARTBEAT.md");
  return job.text || t("(Its words cannot be read any more.)");
}

// jobCard shows a job and what can be done with it. on has edit, do(verb) and
// opened(open), which is called when its history is; sheet shows that.
export function jobCard(job, home, on, sheet) {
  const goesOn = job.state === "active";
  const over = job.state === "finished";
  return html`
    <li class="card job ${goesOn ? "" : "resting"}">
      <p class="kind"><span>${kindName(job.kind)} ${job.number}</span>${goesOn ? nothing : html`<strong class="mark ${over || job.state === "paused" ? "rest" : "bad"}">${STATES[job.state]()}</strong>`}</p>
      <h3 id="job-${job.number}-title" dir="auto">${jobTitle(job)}</h3>
      <p class="due">${whenWords(job, home)}${goesOn && job.next ? html`<br><small>${t("Next: {0}, {1}", moment(job.next), distance(job.next))}</small>` : nothing}</p>
      ${job.failures ? html`<p class="bad">${count(job.failures, "It failed once.", "It failed {0} times in a row.")}</p>` : nothing}
      <div class="row" role="group" aria-labelledby="job-${job.number}-title">
        <button class="quiet" @click=${() => on.do("run")}>${t("Run now")}</button>
        ${over ? nothing : html`<button class="quiet" @click=${() => on.do(goesOn ? "pause" : "resume")}>${goesOn ? t("Pause") : t("Resume")}</button>`}
        <button class="quiet" @click=${on.edit}>${t("Edit")}</button>
        ${job.kind === "heartbeat" ? nothing : html`<button class="quiet" @click=${() => on.do("delete")}>${t("Delete…")}</button>`}
      </div>
      <details @toggle=${(e) => on.opened(e.target.open)}>
        <summary>${t("More")}</summary>
        ${sheet ? sheet.view((s) => sheetView(s)) : nothing}
      </details>
    </li>`;
}

// sheetView is everything else about a job.
function sheetView({ job, runs }) {
  const facts = [
    [t("Speaks"), placeWords(job.place)],
    [t("Missed times"), t("are made up for within {0}", lengthWords(job.grace))],
    [t("Planning"), job.may_plan && t("it may make and change jobs by itself")],
    [t("Came due last"), job.last && moment(job.last)],
    [t("Made"), moment(job.made)],
  ];
  return html`
    <dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <h4>${t("What ran")}</h4>
    ${runList(runs, false)}`;
}
