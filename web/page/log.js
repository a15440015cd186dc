import { render } from "/markdown.js";

// Images that browsers show without running anything in them.
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

// Log is the conversation as far as this page has seen it.
export class Log {
  #list;
  #draft;
  #scroll;
  #press;
  #why; // the button under the newest answer
  #stuck = true; // the end is in sight and stays there
  #mine = new Map(); // id → message of this owner
  #questions = new Map(); // id → group of buttons

  // press is called with a question and the place of the option chosen, why when
  // somebody wants to know what the newest answer rests on.
  constructor(list, draft, scroll, press, why) {
    this.#list = list;
    this.#draft = draft;
    this.#scroll = scroll;
    this.#press = press;
    this.#why = element("button", "why", "Why?");
    this.#why.type = "button";
    this.#why.title = "Shows which notes and earlier messages were in front of Nacre";
    this.#why.addEventListener("click", why);
    scroll.addEventListener("scroll", () => (this.#stuck = this.#atEnd()));
    const grown = new ResizeObserver(() => this.#stuck && this.#toEnd());
    for (const e of [list, draft, scroll]) grown.observe(e);
  }

  // mine shows what the owner said, once.
  mine(id, text, stored) {
    if (this.#mine.has(id)) return;
    const { item, body, foot } = message("mine", "You");
    body.classList.add("plain");
    body.textContent = text;
    this.#mine.set(id, { item, foot });
    if (!stored) {
      item.classList.add("waiting");
      foot.append(element("span", "state", "sending"));
    }
    this.#list.append(item);
    this.#toEnd();
  }

  stored(id) {
    const m = this.#mine.get(id);
    m?.item.classList.remove("waiting");
    m?.foot.querySelector(".state")?.remove();
  }

  // refused says under a message why it was not taken; false if there is none.
  refused(id, why) {
    const m = this.#mine.get(id);
    if (!m) return false;
    this.stored(id);
    m.item.classList.add("refused");
    m.foot.append(element("span", "state", "Not sent: " + why));
    return true;
  }

  // theirs shows a part of an answer. One to a question can be asked about, as
  // long as it is the newest.
  theirs(part, asked) {
    const { item, body, foot } = message("theirs", "Nacre");
    if (part.text) body.append(render(part.text));
    if (part.file) body.append(file(part.file));
    if (part.options) body.append(this.#options(part.question, part.options));
    this.#why.remove();
    if (asked) foot.append(this.#why);
    this.#list.append(item);
  }

  // draft shows an answer as far as it got; empty ends that.
  draft(text) {
    this.#draft.hidden = !text;
    const body = element("div", "body");
    body.append(render(text));
    this.#draft.replaceChildren(body);
  }

  // notice shows a sentence of the page itself.
  notice(text) {
    this.#list.append(element("li", "notice", text));
    this.#toEnd();
  }

  chosen(question, option) {
    const group = this.#questions.get(question);
    if (!group) return;
    this.#unlock(group, false);
    for (const b of group.querySelectorAll("button")) b.setAttribute("aria-pressed", b.textContent === option);
  }

  // unanswered says that a choice was refused; false if it is not asked here.
  unanswered(question, why) {
    const group = this.#questions.get(question);
    if (!group) return false;
    this.#unlock(group, true);
    group.querySelector(".state").textContent = why;
    return true;
  }

  #options(question, options) {
    const group = element("div", "options");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Choose an answer");
    options.forEach((text, n) => {
      const b = element("button", "", text);
      b.type = "button";
      b.dir = "auto";
      b.setAttribute("aria-pressed", "false");
      b.addEventListener("click", () => {
        if (group.classList.contains("locked")) return;
        this.#unlock(group, false);
        this.#press(question, n);
      });
      group.append(b);
    });
    const state = element("span", "state");
    state.setAttribute("role", "status");
    group.append(state);
    this.#questions.set(question, group);
    return group;
  }

  // unlock opens or closes a question. Its buttons keep the focus.
  #unlock(group, open) {
    group.classList.toggle("locked", !open);
    group.querySelector(".state").textContent = "";
    for (const b of group.querySelectorAll("button")) b.setAttribute("aria-disabled", !open);
  }

  #atEnd() {
    const s = this.#scroll;
    return s.scrollHeight - s.scrollTop - s.clientHeight < 80;
  }

  #toEnd() {
    this.#scroll.scrollTop = this.#scroll.scrollHeight;
  }
}

// message makes a bubble with its speaker, for those who cannot see its side,
// and its time.
function message(side, speaker) {
  const item = element("li", "message " + side);
  const body = element("div", "body");
  body.dir = "auto";
  const foot = element("div", "foot");
  const now = new Date();
  const time = element("time", "", now.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
  time.dateTime = now.toISOString();
  foot.append(time);
  item.append(element("span", "hidden", speaker + ": "), body, foot);
  return { item, body, foot };
}

// file makes a link that saves a file, below the image if it is one.
function file(f) {
  const bytes = Uint8Array.from(atob(f.data), (c) => c.charCodeAt(0));
  const link = element("a", "", f.name || "file");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = f.name || "file";
  const figure = element("figure");
  if (SHOWN.has(f.mime)) {
    const image = element("img");
    image.src = `data:${f.mime};base64,${f.data}`;
    image.alt = f.name || "image";
    figure.append(image);
  }
  figure.append(link, element("span", "size", size(bytes.length)));
  return figure;
}

function size(n) {
  if (n < 1000) return `${n} B`;
  return n < 1e6 ? `${Math.round(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

function element(name, classes, text) {
  const e = document.createElement(name);
  if (classes) e.className = classes;
  if (text) e.textContent = text;
  return e;
}
