// Log is the conversation as far as this page knows it: what the history says, and
// what was heard since. An entry has a key of its own and
//
//   side      "mine", "theirs", "others", or "notice", a sentence of the page itself
//   at        when it was said, or heard
//   text, file, files, question, options, chosen, trouble  what it is made of; files are
//             the names of what came with a message
//   id, message, turn  what it is called: by its page, in the history, the turn of an answer
//   state     of what was said here: "waiting" until it is stored, "refused", then trouble says why
//   past      the history has it
//   asked     it answers something that can be asked about
export class Log {
  entries = []; // oldest first
  #keys = 0;

  // known is how much the history has of it.
  get known() {
    return this.entries.filter((e) => e.past).length;
  }

  // mine adds what the owner said, once.
  mine(id, text, files, stored) {
    if (this.#said(id)) return;
    this.#add({ side: "mine", id, text, files, state: stored ? "" : "waiting" });
  }

  stored(id) {
    const entry = this.#said(id);
    if (entry) entry.state = "";
  }

  // refused notes why a message was not taken; false if there is none.
  refused(id, why) {
    const entry = this.#said(id);
    if (!entry) return false;
    Object.assign(entry, { state: "refused", trouble: why });
    return true;
  }

  // theirs adds a part of an answer. It returns false for one that is here already,
  // from the history; then only what the history does not have of it is added.
  theirs(part, asked) {
    const known = !part.file && this.#answer(part.turn);
    if (known) {
      Object.assign(known, { question: part.question, options: part.options });
      return false;
    }
    const { turn, text, file, question, options } = part;
    this.#add({ side: "theirs", turn, text, file, question, options, asked });
    return true;
  }

  notice(text) {
    this.#add({ side: "notice", text });
  }

  // choose notes that an option of a question was pressed, chosen which one it is.
  choose(question) {
    const entry = this.#asking(question);
    if (entry) Object.assign(entry, { locked: true, trouble: "" });
  }

  chosen(question, option) {
    const entry = this.#asking(question);
    if (entry) Object.assign(entry, { locked: true, chosen: option, trouble: "" });
  }

  // unanswered notes that a choice was refused; false if it is not asked here.
  unanswered(question, why) {
    const entry = this.#asking(question);
    if (!entry) return false;
    Object.assign(entry, { locked: false, trouble: why });
    return true;
  }

  // merge puts the newest part of the history in its place among what is here; whole
  // says that nothing stands before it. What the history had and has no more was
  // forgotten, and goes. It returns true where nothing of it was here, so that what
  // stands before it is not known.
  merge(sayings, whole) {
    const begins = !sayings.some((s) => this.entries.some((e) => same(e, s)));
    if (begins) this.entries = this.entries.filter((e) => !e.past); // a gap lies between
    const there = new Set();
    let at = -1;
    for (const saying of sayings) {
      const here = this.entries.filter((e) => same(e, saying));
      if (here.length) at = this.entries.indexOf(here.at(-1));
      else this.entries.splice((at = this.#place(saying, at) + 1), 0, (here[0] = this.#entry(saying)));
      for (const entry of here) there.add(learn(entry, saying));
    }
    const from = whole ? 0 : this.entries.findIndex((e) => there.has(e));
    this.entries = this.entries.filter((e, i) => i < from || !e.past || there.has(e));
    return begins;
  }

  // place is the last entry before something that the history has and that is not here,
  // from one on that is: commands, which it never has, may stand between.
  #place({ sent }, at) {
    const older = (e) => e && !e.past && Date.parse(e.at) <= Date.parse(sent);
    while (older(this.entries[at + 1])) at++;
    return at;
  }

  // before puts an older part of the history in front.
  before(sayings) {
    const more = sayings.filter((s) => !this.entries.some((e) => same(e, s)));
    this.entries.unshift(...more.map((s) => this.#entry(s)));
  }

  // unsaid is a log of only that which was written here and is not stored.
  unsaid() {
    const log = new Log();
    log.#keys = this.#keys;
    log.entries = this.entries.filter((e) => e.state);
    return log;
  }

  #add(entry) {
    this.entries.push({ key: this.#keys++, at: new Date().toISOString(), ...entry });
  }

  #entry(saying) {
    return { key: this.#keys++, ...entryOf(saying) };
  }

  #said(id) {
    return this.entries.find((e) => e.side === "mine" && e.id === id);
  }

  #answer(turn) {
    return this.entries.find((e) => e.side === "theirs" && e.text && turn && e.turn === turn);
  }

  #asking(question) {
    return this.entries.find((e) => e.question && e.question === question);
  }
}

// same tells whether an entry is, or is a part of, something that the history has.
function same(entry, { message, id, turn }) {
  if (message) return entry.message === message || (Boolean(id) && entry.id === id);
  return Boolean(turn) && entry.side === "theirs" && entry.turn === turn;
}

// learn takes over what the history says of an entry: a part of its words may be
// forgotten, and what it asked be answered elsewhere.
function learn(entry, saying) {
  const { text, files, question, options, chosen } = saying;
  if ((entry.text && entry.text !== text) || String(entry.files ?? "") !== String(files ?? "")) entry.content = undefined;
  if (chosen) Object.assign(entry, { chosen, locked: true });
  return Object.assign(entry, past(saying), { files }, entry.text && { text, question, options });
}

// past is what only the history knows of an entry.
function past({ message, sent }) {
  return { past: true, message, at: sent, state: "" };
}

const SIDES = { you: "mine", nacre: "theirs", others: "others" };

// entryOf makes an entry, but for its key, of something that the history has.
export function entryOf(saying) {
  const { id, turn, text, files, who, name, strange, heard, question, options, chosen } = saying;
  const asks = { question, options, chosen, locked: Boolean(chosen) };
  return { side: SIDES[who], id, turn, text, files, name, strange, heard, ...asks, asked: who === "nacre", ...past(saying) };
}
