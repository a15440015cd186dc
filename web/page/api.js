import { anew, whose } from "/whose.js";
import { t } from "/words.js";

// Problem is why a request was not carried out: a sentence to show, and a code.
export class Problem extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind; // invalid, denied, not_found, conflict, transient, internal; out: not logged in
  }
}

// get asks for something; query is an object of plain values.
export async function get(path, query = {}, signal) {
  const asked = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== undefined && v !== "" && v !== false));
  return (await ask("GET", asked.size ? `${path}?${asked}` : path, undefined, signal)).json();
}

// post asks for something to be done.
export async function post(path, body = {}, signal) {
  return (await ask("POST", path, body, signal)).json();
}

// ask makes a request and returns the answer, if it is one that was asked for; it
// throws a Problem where there is none. A body that is a Blob is sent as it is.
export async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, { method, body: body instanceof Blob ? body : body && JSON.stringify(body), signal, headers: { "X-Nacre-Owner": whose() } });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Problem("away", t("Nacre does not answer. Try again when it runs."));
  }
  if (answer.ok) return answer;
  if (answer.status === 412) return begun();
  const { kind, text } = await answer.json().catch(() => ({}));
  const code = { 401: "out", 502: "transient", 503: "transient", 504: "transient" }[answer.status]; // also of what stands before the server
  throw new Problem(code ?? kind, text ? sentence(t(text)) : t("Nacre does not answer as it should ({0}).", answer.status));
}

// lines are the lines of JSON of an answer as they come, until it ends or breaks off.
export async function* lines(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) return;
    const whole = (rest + value).split("\n");
    rest = whole.pop();
    for (const line of whole.filter(Boolean)) yield JSON.parse(line);
  }
}

// begun begins anew, as somebody else is logged in now. What was asked is never
// answered.
function begun() {
  anew();
  return new Promise(() => {});
}

// sentence makes one of a phrase.
export function sentence(text) {
  return text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}
