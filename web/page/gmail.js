// Where Google leads to after consent. What it has to say stands in the address, which
// is for who is logged in here; where nobody is, it may be a terminal's.

import { speak, t } from "/words.js";

const part = (selector) => document.querySelector(selector);

await speak("", "", { de: () => import("/de/login.js") });
part("a").textContent = t("Back to Nacre");
const answers = [await bring("/api/mail/finish")];
if (answers[0]?.status === 401) answers.push(await bring("/gmail"));
const done = answers.at(-1)?.ok;
part("h1 span").textContent = done ? t("Gmail is connected") : t("Gmail is not connected");
part("[role]").textContent = done ? t("You can close this tab.") : await why();
if (done) history.replaceState(null, "", "/settings/mail"); // the address works once

function bring(path) {
  return fetch(path, { method: "POST", body: JSON.stringify({ url: location.href }) }).catch(() => null);
}

// why is why it did not work. Who is not logged in learns what to do; whether there is
// such a consent, and whose it is, is not for them.
async function why() {
  const answer = answers.at(-1);
  if (answer?.status === 403 && answers[1]) return t("Nobody is logged in to Nacre in this browser. Copy the whole address of this page, and paste it where you began.");
  const { text } = (await answer?.json().catch(() => null)) ?? {};
  return t(text ?? "Nacre does not answer. Try again when it runs.");
}
