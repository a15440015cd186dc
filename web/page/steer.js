import { change, done, undo } from "/change.js";
import { forget } from "/forget.js";
import { topicName } from "/labels.js";
import { html, nothing, sure } from "/ui.js";
import { count, t } from "/words.js";

const TOPICS = ["health", "religion", "politics", "sexuality", "gender identity", "ethnicity", "immigration status", "criminal history"];

// paused says that nothing new is remembered, while that is so.
export function paused(app, store) {
  if (store.listing.saving) return nothing;
  return html`<div class="note paused" role="status">
    <p>${t("Saving is paused: nothing that is said in chats is remembered. What you write here is.")}</p>
    <button class="quiet" @click=${() => set(app, store, "saving", true)}>${t("Resume saving")}</button>
  </div>`;
}

// steer is where the owner says what memory may keep.
export function steer(app, store) {
  const { saving, sensitive } = store.listing;
  return html`<details class="steer">
    <summary>${saving ? t("Saving on") : t("Saving paused")}, ${sensitive ? t("sensitive on") : t("sensitive off")}</summary>
    <p>${saving ? t("Nacre remembers what you say about yourself in chats.") : t("Nothing that is said in chats is remembered. Notes that are there are used.")}</p>
    <div class="row"><button class="quiet" @click=${() => set(app, store, "saving", !saving)}>${saving ? t("Pause saving") : t("Resume saving")}</button></div>
    <p>${sensitive ? t("Notes about sensitive topics are kept and used like others.") : t("Notes about sensitive topics are not made, and those that are there are not used, unless you allowed one by itself.")}
      ${t("Sensitive are {0}.", TOPICS.map(topicName).join(", "))}</p>
    <div class="row">
      <button class="quiet" @click=${() => (sensitive ? hide(app, store) : allow(app, store))}>${sensitive ? t("Switch sensitive topics off") : t("Switch sensitive topics on")}</button>
      ${!sensitive && touchy(store).length ? html`<button class="quiet" @click=${() => forget(app, store, { size: "hidden" })}>${t("Forget what is hidden…")}</button>` : nothing}
    </div>
    <p>${t("You can take back the last change of memory, whoever made it, but never a forgetting.")}</p>
    <div class="row"><button class="quiet" @click=${() => undo(app, store)}>${t("Undo the last change")}</button></div>
  </details>`;
}

// touchy are the notes of sensitive topics.
function touchy(store) {
  return store.listing.notes.filter((n) => n.topic);
}

async function hide(app, store) {
  const n = touchy(store).length;
  const agreed = await sure({
    title: t("Switch sensitive topics off?"),
    body: html`
      <p>${n ? count(n, "{0} note about such a topic stays here and can be read by you, but Nacre does not use it any more.", "{0} notes about such topics stay here and can be read by you, but Nacre does not use them any more.") : t("There is no note about such a topic now.")}</p>
      <p>${t("New ones are not made, except one that you allow by itself. You can switch it on again at any time.")}</p>`,
    yes: t("Switch off"),
  });
  if (agreed) await set(app, store, "sensitive", false);
}

async function allow(app, store) {
  const agreed = await sure({
    title: t("Switch sensitive topics on?"),
    body: html`
      <p>${t("What you say about {0} is then remembered like anything else, and sent to the language model when it matters.", TOPICS.map(topicName).join(", "))}</p>
      <p>${t("Hidden notes about them are used again. None of them is pinned by itself.")}</p>`,
    yes: t("Switch on"),
  });
  if (agreed) await set(app, store, "sensitive", true);
}

async function set(app, store, setting, on) {
  if (!(await change(app, "set", { setting, on }))) return;
  await store.load();
  done(app, store, said(setting, on));
}

function said(setting, on) {
  if (setting === "saving") return on ? t("Saving is on.") : t("Saving is paused.");
  return on ? t("Sensitive topics are on.") : t("Sensitive topics are off.");
}
