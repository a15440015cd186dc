// ask makes a request and returns the answer. Where there is none, or a refusal,
// it throws an Error whose message is a sentence to show.
export async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, { method, body: body && JSON.stringify(body), signal });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Error("Nacre does not answer. Try again when it runs.");
  }
  if (answer.ok) return answer;
  const { text } = await answer.json().catch(() => ({}));
  throw new Error(text ? sentence(text) : `Nacre does not answer as it should (${answer.status}).`);
}

// sentence makes one of a phrase.
export function sentence(text) {
  return text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
