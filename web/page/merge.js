// How two changes of one text are put together, word by word.

// merge puts together what two people made of a text, or gives null where both changed
// the same place of it in different ways.
export function merge(base, mine, theirs) {
  const [b, m, o] = [base, mine, theirs].map(words);
  const [toMine, toTheirs] = [kept(b, m), kept(b, o)];
  const text = [];
  let at = 0, atMine = 0, atTheirs = 0;
  for (;;) {
    let end = at;
    while (end < b.length && (toMine[end] === undefined || toTheirs[end] === undefined)) end++;
    const mineTo = end < b.length ? toMine[end] : m.length;
    const theirsTo = end < b.length ? toTheirs[end] : o.length;
    const part = chosen(b.slice(at, end).join(""), m.slice(atMine, mineTo).join(""), o.slice(atTheirs, theirsTo).join(""));
    if (part === null) return null;
    text.push(part);
    if (end === b.length) return text.join("");
    text.push(b[end]);
    [at, atMine, atTheirs] = [end + 1, mineTo + 1, theirsTo + 1];
  }
}

// chosen is what becomes of a place: what one of both made of it, where the other left
// it as it was or made the same of it.
function chosen(base, mine, theirs) {
  if (mine === base || mine === theirs) return theirs;
  return theirs === base ? mine : null;
}

// words cuts a text into words and what stands between them, also where a language
// writes no spaces.
function words(text) {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), (s) => s.segment);
}

// kept tells of each word of a text where it stands in another, in order, for as many
// as can be: the longest common subsequence of both.
function kept(a, b) {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const at = new Array(a.length);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) at[i++] = j++;
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
  return at;
}
