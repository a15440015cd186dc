// The way in: by a link, whose secret stands behind the "#", which browsers do not
// send; or by a name and a password.

import { count, speak, t } from "/words.js";

// The secret is taken out of the address before anything else can keep it, and so is
// where this window was on its way to, which a link that is opened here later leads to.
const secret = location.hash.slice(1);
const asked = new URLSearchParams(location.search).get("to");
if (asked) sessionStorage.setItem("to", asked);
history.replaceState(null, "", "/login");

// A link that is opened while this page is there changes the address alone.
addEventListener("hashchange", () => location.reload());

const part = (selector) => document.querySelector(selector);

await speak("", "", { de: () => import("/de/login.js") });
show();
if (secret) {
  logIn("/login", { link: secret }, t("This link is used up or too old. Ask for a new one."));
} else {
  resume();
}

// show says what there is to do, in the language of the browser.
function show() {
  document.title = t("Nacre: log in");
  part("#how").textContent = t("To log in, open a fresh link. Send /web where you already talk with Nacre, or run “nacre web” on its machine. A link works once, within 10 minutes.");
  part("summary").textContent = t("Log in by a password");
  const [name, password] = document.querySelectorAll("label span");
  name.textContent = t("Name");
  password.textContent = t("Password");
  part("form button").textContent = t("Log in");
  part("form").addEventListener("submit", submit);
  part("#password").hidden = false;
}

async function submit(e) {
  e.preventDefault();
  const button = part("form button");
  button.disabled = true; // an impatient second press would count as a second try
  await logIn("/login/password", new FormData(e.target), t("The name or the password is wrong."));
  button.disabled = false;
}

// logIn shows what it is let in by; refused is what to say where that is not right.
async function logIn(path, shown, refused) {
  say(t("Logging in…"));
  let answer;
  try {
    answer = await fetch(path, { method: "POST", body: new URLSearchParams(shown), redirect: "manual" });
  } catch {
    say(t("Nacre does not answer. Try again when it runs."));
    return;
  }
  if (answer.type === "opaqueredirect") {
    goOn();
  } else if (answer.status === 429) {
    say(pause(Number(answer.headers.get("Retry-After"))));
  } else {
    say(answer.status === 403 ? refused : t("Nacre cannot let you in now. Try again in a moment."));
  }
}

// pause says that too many logins failed, and how long to wait.
function pause(seconds) {
  const minutes = Math.ceil(seconds / 60);
  return seconds > 90 ? count(minutes, "Too many logins failed. Try again in a minute.", "Too many logins failed. Try again in {0} minutes.")
    : count(seconds, "Too many logins failed. Try again in a second.", "Too many logins failed. Try again in {0} seconds.");
}

function say(text) {
  part("#state").textContent = text;
}

// goOn leads to where this window was on its way to, as far as that is here.
function goOn() {
  const to = sessionStorage.getItem("to") ?? "/";
  sessionStorage.removeItem("to");
  const url = URL.canParse(to, location.origin) ? new URL(to, location.origin) : null;
  location.replace(url?.origin === location.origin ? url.origin + url.pathname + url.search : "/");
}

// resume goes on where this browser is logged in already. Browsers do not send the
// strict cookie when another site led here.
async function resume() {
  const answer = await fetch("/", { method: "HEAD", redirect: "manual" }).catch(() => null); // who logs in finds out
  if (answer?.ok) goOn();
}
