import { change, done } from "/change.js";

// carryOut has a change of memory carried out, says so with a way back, and reports
// whether it was done. stale is called where the note is not what was shown any more.
export async function carryOut(app, store, verb, body, said, stale) {
  const outcome = await change(app, verb, body, stale);
  if (!outcome) return false;
  await store.load();
  if (outcome.same) app.tell(said); // there is nothing to take back
  else done(app, store, said);
  return true;
}
