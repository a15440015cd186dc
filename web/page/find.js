// How notes are found as one types, on this page alone.

import { slug } from "/store.js";

// fold makes texts comparable: without case, accents and what only looks different.
export function fold(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
}

const folded = new WeakMap(); // note → all its words

function wordsOf(note) {
  let words = folded.get(note);
  if (words === undefined) {
    words = fold([note.text, note.abstract ?? "", slug(note), ...(note.entities ?? [])].join("\n"));
    folded.set(note, words);
  }
  return words;
}

// prepare reads notes before somebody types, so that the first letter is as fast as
// the others.
export function prepare(notes) {
  for (const note of notes) wordsOf(note);
}

// matching are the notes that have all words of a text, or beginnings of them.
export function matching(notes, text) {
  const wanted = fold(text).split(/\s+/u).filter(Boolean);
  return wanted.length ? notes.filter((note) => wanted.every((word) => wordsOf(note).includes(word))) : notes;
}
