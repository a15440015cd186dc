// What the page says, in the language of its reader. A text in the code is English
// and is itself the key of its translations; de.js and those like it give them. A
// text that has none is shown as it is, also a sentence of the server.

const LANGUAGES = { de: () => import("/de.js") };

let language = "en";
let zone; // IANA name; undefined for the browser's own
let catalogue = {};
let forms = []; // [pattern, text] of sentences of the server with values in them

// speak makes a language the page's, and a zone that of its clock. What is empty, or
// a language that the page does not know, is as the browser has it. The page to log in
// has catalogues of its own, as nothing else is open to strangers.
export async function speak(wanted = "", wantedZone = "", catalogues = LANGUAGES) {
  language = [wanted, ...navigator.languages].map((l) => l.slice(0, 2)).find((l) => l === "en" || catalogues[l]) ?? "en";
  zone = wantedZone || undefined;
  const known = { default: {}, server: {}, ...(await catalogues[language]?.()) };
  catalogue = { __proto__: null, ...known.default }; // also "constructor" is only a word
  forms = Object.entries(known.server).filter(([text]) => text.includes("{0}")).map(([text, ours]) => [pattern(text), ours]);
  document.documentElement.lang = language;
}

// t is a text in the reader's language; {0}, {1} and so on are filled in. A sentence
// of the server comes with its values in it, and is known by its form.
export function t(text, ...values) {
  const ours = catalogue[text] ?? (values.length ? undefined : formed(text));
  return (ours ?? text).replace(/\{(\d)\}/g, (place, i) => values[i] ?? place);
}

// formed finds a sentence of the server by its form, or one that a clause became.
function formed(text) {
  const clause = catalogue[text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "")];
  if (clause) return clause.charAt(0).toUpperCase() + clause.slice(1) + ".";
  for (const [form, ours] of forms) {
    const found = form.exec(text);
    if (found) return ours.replace(/\{(\d)\}/g, (_, i) => t(found[+i + 1]));
  }
}

// pattern matches what a text with places becomes; they stand in it in order.
function pattern(text) {
  const literal = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp("^" + literal.replace(/\{\d\}/g, "(.+?)") + "$", "s");
}

// count is a number of things: one is the text for one, many that for others, in
// which {0} is the number.
export function count(n, one, many) {
  return t(n === 1 ? one : many, number(n));
}

export function number(n) {
  return n.toLocaleString(language);
}

// short writes a large number in few characters.
export function short(n) {
  return n.toLocaleString(language, { notation: "compact", maximumFractionDigits: 1 });
}

// dollars writes billionths of a dollar.
export function dollars(nanos) {
  const value = nanos / 1e9;
  const digits = value > 0 && value < 0.1 ? 4 : 2;
  return value.toLocaleString(language, { style: "currency", currency: "USD", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// day, moment and hour write an instant, given as the API does, as a date, as a date
// with its time, and as a time.
export function day(instant) {
  return new Date(instant).toLocaleDateString(language, { dateStyle: "medium", timeZone: zone });
}

export function moment(instant) {
  return new Date(instant).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
}

export function hour(instant) {
  return new Date(instant).toLocaleTimeString(language, { timeStyle: "short", timeZone: zone });
}
