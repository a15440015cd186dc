// Markdown to DOM. Texts come from models and from strangers that they quote:
// every character becomes a text node, elements are made by name from the few
// below, and the only attribute with foreign content is the address of a link.

import { t } from "/words.js";

const DEPTH = 6; // of quotes and lists in each other
const SAFE = new Set(["http:", "https:", "mailto:"]);

// render returns the nodes for a text.
export function render(text) {
  const out = document.createDocumentFragment();
  blocks(text.replace(/\r\n?/g, "\n").split("\n"), out, 0);
  return out;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?: +|$)/;
const DELIMITERS = /^ *\|? *:?-+:? *(\| *:?-+:? *)*\|? *$/;

// blocks reads lines into out. Each reader takes what is its own from line i
// and returns the line after it.
function blocks(lines, out, depth) {
  for (let i = 0; i < lines.length; ) {
    if (!lines[i].trim()) i++;
    else if (FENCE.test(lines[i])) i = fence(lines, i, out);
    else if (HEADING.test(lines[i])) i = heading(lines, i, out);
    else if (RULE.test(lines[i])) { out.append(make("hr")); i++; }
    else if (QUOTE.test(lines[i]) && depth < DEPTH) i = quote(lines, i, out, depth);
    else if (ITEM.test(lines[i]) && depth < DEPTH) i = list(lines, i, out, depth);
    else if (isTable(lines, i)) i = table(lines, i, out);
    else i = paragraph(lines, i, out, depth);
  }
}

function starts(line, depth) {
  return !line.trim() || FENCE.test(line) || HEADING.test(line) || RULE.test(line) ||
    (depth < DEPTH && (QUOTE.test(line) || ITEM.test(line)));
}

function paragraph(lines, i, out, depth) {
  const from = i++;
  while (i < lines.length && !starts(lines[i], depth) && !isTable(lines, i)) i++;
  const p = make("p");
  inline(lines.slice(from, i).map((l) => l.trim()).join("\n"), p);
  out.append(p);
  return i;
}

function fence(lines, i, out) {
  const [, ticks, language] = FENCE.exec(lines[i]);
  const from = ++i;
  while (i < lines.length && !closes(lines[i], ticks)) i++;
  const pre = make("pre"), code = make("code");
  code.textContent = lines.slice(from, i).join("\n");
  pre.tabIndex = 0; // so that keys can scroll it
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", language ? t("Code: {0}", language) : t("Code"));
  pre.append(code);
  out.append(pre);
  return i + 1;
}

function closes(line, ticks) {
  const mark = line.trim();
  return mark.length >= ticks.length && mark === ticks[0].repeat(mark.length);
}

// heading begins at h3, because the page has an h1 and the conversation is
// under it.
function heading(lines, i, out) {
  const [, marks, text] = HEADING.exec(lines[i]);
  const h = make("h" + Math.min(marks.length + 2, 6));
  inline(text, h);
  out.append(h);
  return i + 1;
}

function quote(lines, i, out, depth) {
  const inner = [];
  while (i < lines.length && QUOTE.test(lines[i])) inner.push(lines[i++].replace(QUOTE, ""));
  const q = make("blockquote");
  blocks(inner, q, depth + 1);
  out.append(q);
  return i;
}

function list(lines, i, out, depth) {
  const [, lead, mark] = ITEM.exec(lines[i]);
  const ordered = mark.length > 1;
  const l = make(ordered ? "ol" : "ul");
  if (ordered && parseInt(mark, 10) !== 1) l.start = parseInt(mark, 10);
  while (i < lines.length) {
    const m = ITEM.exec(lines[i]);
    if (!m || m[1].length > lead.length + 1 || m[1].length < lead.length || m[2].length > 1 !== ordered || RULE.test(lines[i])) break;
    i = item(lines, i, m, l, depth);
  }
  out.append(l);
  return i;
}

// item takes the lines that are indented below its mark, and those that only
// go on with its paragraph.
function item(lines, i, [head, lead], l, depth) {
  const inner = [lines[i++].slice(head.length)];
  const indent = lead.length + 2;
  for (; i < lines.length; i++) {
    const own = lines[i].length - lines[i].trimStart().length;
    if (!lines[i].trim()) {
      if (!lines[i + 1]?.startsWith(" ".repeat(indent))) break;
      inner.push("");
    } else if (own >= indent) inner.push(lines[i].slice(Math.min(own, head.length)));
    else if (inner.at(-1) && !starts(lines[i], depth)) inner.push(lines[i]);
    else break;
  }
  while (i < lines.length && !lines[i].trim() && ITEM.test(lines[i + 1] ?? "")) i++;
  const li = make("li");
  const task = /^\[([ xX])\] /.exec(inner[0]);
  if (task) {
    inner[0] = inner[0].slice(4);
    li.className = "task";
    li.append(box(task[1] !== " "));
  }
  blocks(inner, li, depth + 1);
  l.append(li);
  return i;
}

function box(done) {
  const b = make("input");
  b.type = "checkbox";
  b.checked = done;
  b.disabled = true;
  b.setAttribute("aria-label", done ? t("done") : t("not done"));
  return b;
}

function isTable(lines, i) {
  return lines[i].includes("|") && i + 1 < lines.length && lines[i + 1].includes("-") &&
    DELIMITERS.test(lines[i + 1]) && cells(lines[i]).length === cells(lines[i + 1]).length;
}

function table(lines, i, out) {
  const sides = cells(lines[i + 1]).map((c) => (c.endsWith(":") ? (c.startsWith(":") ? "center" : "right") : ""));
  const grid = make("table"), head = grid.createTHead(), body = grid.createTBody();
  row(head, "th", cells(lines[i]), sides);
  for (i += 2; i < lines.length && lines[i].includes("|") && lines[i].trim(); i++) row(body, "td", cells(lines[i]), sides);
  const frame = make("div");
  frame.className = "table";
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", t("Table"));
  frame.append(grid);
  out.append(frame);
  return i;
}

function row(part, name, texts, sides) {
  const tr = part.insertRow();
  sides.forEach((side, n) => {
    const c = make(name);
    if (side) c.className = side;
    inline(texts[n] ?? "", c);
    tr.append(c);
  });
}

function cells(line) {
  return line.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|"));
}

const MARKS = { "**": "strong", "__": "strong", "*": "em", "_": "em", "~~": "s" };
const ESCAPE = /\\([!-/:-@[-`{-~])/y;
const CODE = /(`+)(?!`)/y;
const LINK = /!?\[((?:[^[\]\\\n]|\\.){1,1000})\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y;
const BARE = /<?(https?:\/\/[^\s<>"`]+)>?/y;
const MARK = /\*\*|__|~~|\*|_/y;
const WORD = /[\p{L}\p{N}]/u;

// inline reads a text into out. Marks of emphasis that are open stand in a
// stack, each kind at most once; those never closed become text again.
function inline(text, out, linked = false) {
  const stack = [{ mark: "", node: out }];
  const top = () => stack.at(-1).node;
  let plain = "";
  const flush = () => { lineBreaks(plain, top()); plain = ""; };
  for (let i = 0; i < text.length; ) {
    const piece = special(text, i, linked);
    if (!piece) plain += text[i++];
    else if (piece.text !== undefined) { plain += piece.text; i += piece.length; }
    else if (piece.node) { flush(); top().append(piece.node); i += piece.length; }
    else { i += piece.mark.length; flush(); plain = emphasis(text, i, piece.mark, stack); }
  }
  flush();
  while (stack.length > 1) unwrap(stack);
}

// special reads what is not plain at place i: {text} or {node} of a length, or
// a {mark}.
function special(text, i, linked) {
  switch (text[i]) {
    case "\\": {
      const m = at(ESCAPE, text, i);
      return m && { text: m[1], length: 2 };
    }
    case "`":
      return codeSpan(text, i);
    case "!":
    case "[": {
      const m = !linked && at(LINK, text, i);
      return m && anchor(m[2], m[1], m[0].length);
    }
    case "<":
    case "h": {
      const m = !linked && !WORD.test(text[i - 1] ?? "") && at(BARE, text, i);
      return m && bare(m);
    }
    case "*":
    case "_":
    case "~": {
      const m = at(MARK, text, i);
      return m && { mark: m[0] };
    }
  }
  return null;
}

function at(pattern, text, i) {
  pattern.lastIndex = i;
  return pattern.exec(text);
}

// codeSpan ends at as many backticks as it began with; without them these are
// text.
function codeSpan(text, i) {
  const [ticks] = at(CODE, text, i) ?? [text[i]];
  for (let end = text.indexOf(ticks, i + ticks.length); end > 0; ) {
    let after = end;
    while (text[after] === "`") after++;
    if (after - end === ticks.length) {
      const code = make("code");
      code.textContent = text.slice(i + ticks.length, end).replaceAll("\n", " ").replace(/^ (.*[^ ].*) $/, "$1");
      return { node: code, length: after - i };
    }
    end = text.indexOf(ticks, after);
  }
  return { text: ticks, length: ticks.length };
}

// anchor makes a link. Images become links to them: loading one would tell its
// server that it was read. An address that is not safe leaves the text as is.
function anchor(address, label, length) {
  const url = safe(address);
  if (!url) return null;
  const a = make("a");
  a.href = url;
  a.title = url;
  a.rel = "noopener noreferrer";
  a.target = "_blank";
  inline(label, a, true);
  return { node: a, length };
}

function bare([all, address]) {
  let url = address.replace(/[.,;:!?'*_~]+$/, "");
  if (url.endsWith(")") && !url.includes("(")) url = url.slice(0, -1);
  const closed = all.startsWith("<") && all.endsWith(">");
  const lead = all.startsWith("<") && !closed ? 1 : 0;
  if (lead) return { text: "<", length: 1 };
  const target = safe(closed ? address : url);
  if (!target) return null;
  const a = make("a");
  a.href = target;
  a.rel = "noopener noreferrer";
  a.target = "_blank";
  a.textContent = closed ? address : url;
  return { node: a, length: closed ? all.length : url.length };
}

function safe(address) {
  try {
    const url = new URL(address);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

// emphasis opens or closes a mark before place i and returns it as text where
// it can do neither.
function emphasis(text, i, mark, stack) {
  const before = text[i - mark.length - 1] ?? " ", after = text[i] ?? " ";
  const inWord = mark[0] === "_" && WORD.test(before) && WORD.test(after);
  const opened = stack.findIndex((s) => s.mark === mark);
  if (opened > 0 && !/\s/.test(before) && !inWord) {
    while (stack.length - 1 > opened) unwrap(stack);
    const { node } = stack.pop();
    stack.at(-1).node.append(node);
    return "";
  }
  if (opened > 0 || /\s/.test(after) || inWord) return mark;
  stack.push({ mark, node: make(MARKS[mark]) });
  return "";
}

function unwrap(stack) {
  const { mark, node } = stack.pop();
  stack.at(-1).node.append(mark, ...node.childNodes);
}

// lineBreaks keeps the line ends of a chat.
function lineBreaks(text, out) {
  text.split("\n").forEach((line, n) => {
    if (n) out.append(make("br"));
    if (line) out.append(line);
  });
}

function make(name) {
  return document.createElement(name);
}
