// Drafts keeps what was typed and is not saved yet for as long as the window lives,
// so that no reload loses it. Each draft is an object that JSON can write.
export class Drafts {
  #kind;

  // kind tells apart the drafts of one room from those of others.
  constructor(kind) {
    this.#kind = kind + "/";
  }

  get(name) {
    return JSON.parse(sessionStorage.getItem(this.#kind + name));
  }

  // set keeps a draft; where the browser has no room for it, it is only on the page.
  set(name, draft) {
    try {
      sessionStorage.setItem(this.#kind + name, JSON.stringify(draft));
    } catch {
      this.drop(name); // an older one would be worse than none
    }
  }

  drop(name) {
    sessionStorage.removeItem(this.#kind + name);
  }

  // names lists the drafts that there are.
  names() {
    return Object.keys(sessionStorage).filter((k) => k.startsWith(this.#kind)).map((k) => k.slice(this.#kind.length));
  }
}
