import { get } from "/api.js";

// The areas, in the order in which people read them.
export const AREAS = ["about", "preferences", "people", "routines", "lessons"];

// Store is what is known of memory on this page. The rooms of memory share one.
export class Store {
  listing = null; // as GET /api/memory?which=all gives it; null until it is loaded
  error = ""; // why what is known may be old
  #app;
  #loading = null;
  #again = false; // something changed while it was being read
  #whole = false; // nothing that is known may stay

  constructor(app) {
    this.#app = app;
  }

  // load reads what changed since it read last, at first everything. It resolves when
  // all that was changed before the call is known, or could not be read.
  load() {
    if (this.#loading) this.#again = true;
    else this.#loading = this.#load();
    return this.#loading;
  }

  // renew reads everything anew, since something was forgotten.
  renew() {
    this.#whole = true;
    return this.load();
  }

  async #load() {
    do {
      const whole = this.#whole;
      this.#again = this.#whole = false;
      try {
        this.#take(await get("/api/memory", { which: "all", after: whole ? undefined : this.listing?.version }));
        this.error = "";
      } catch (e) {
        this.error = e.message;
        if (whole) this.listing = null;
      }
      this.#app.update();
    } while (this.#again);
    this.#loading = null;
  }

  // take puts what changed in its place. Notes that are as they were stay the same
  // objects.
  #take(read) {
    const old = this.listing;
    if (read.partial && read.notes.length + (read.gone?.length ?? 0) === 0) read.notes = old.notes;
    else if (read.partial) {
      const replaced = new Set([...read.notes.map((n) => n.id), ...(read.gone ?? [])]);
      read.notes = [...old.notes.filter((n) => !replaced.has(n.id)), ...read.notes].sort(byPlace);
    }
    this.listing = read;
  }

  // note is a note that is known here; undefined if none is of that id.
  note(id) {
    return this.listing?.notes.find((n) => n.id === id);
  }
}

// byPlace orders notes as people look for them, those of one place by age.
function byPlace(a, b) {
  return AREAS.indexOf(area(a)) - AREAS.indexOf(area(b)) || compare(a.path, b.path) || compare(a.scope ?? "", b.scope ?? "") || compare(a.id, b.id);
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// area and slug are the parts of where a note stands.
export function area(note) {
  return note.path.slice(0, note.path.indexOf("/"));
}

export function slug(note) {
  return note.path.slice(note.path.indexOf("/") + 1);
}
