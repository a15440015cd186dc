// The secret of a login link stands behind the "#", which browsers do not send.
// It is taken out of the address before anything else can keep it.
const secret = location.hash.slice(1);
history.replaceState(null, "", "/login");

// A link that is opened while this page is there changes the address alone.
addEventListener("hashchange", () => location.reload());

const state = document.getElementById("state");

if (secret) {
  logIn();
} else {
  resume();
}

async function logIn() {
  state.textContent = "Logging in…";
  try {
    const answer = await fetch("/login", { method: "POST", body: new URLSearchParams({ link: secret }) });
    if (answer.ok) {
      location.replace("/");
      return;
    }
    state.textContent = (await answer.json()).text;
  } catch {
    state.textContent = "Nacre does not answer. Open the link again when it runs.";
  }
}

// resume goes on to the chat where this browser is logged in already. Browsers
// do not send the strict cookie when another site led here.
async function resume() {
  const answer = await fetch("/", { method: "HEAD", redirect: "manual" });
  if (answer.ok) location.replace("/");
}
