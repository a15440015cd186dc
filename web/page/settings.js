// The rooms of settings, and the way between them.

import { Access } from "/access.js";
import { Mail } from "/mail.js";
import { Wishes } from "/wishes.js";
import { html, nothing } from "/ui.js";
import { t } from "/words.js";

const ROOMS = [
  { path: "", name: () => t("Settings"), make: (app) => new Wishes(app) },
  { path: "mail", name: () => "Gmail", make: (app) => new Mail(app) },
  { path: "access", name: () => t("Access"), make: (app) => new Access(app) },
];

// Settings leads to how the owner wants things to be, to their Gmail, and to who may act
// as them.
export class Settings {
  #made;
  #at = 0; // the index of the room that is shown

  constructor(app) {
    this.#made = ROOMS.map((r) => r.make(app));
  }

  enter(rest) {
    this.#at = Math.max(0, ROOMS.findIndex((r) => r.path === rest));
    this.#made[this.#at].look();
  }

  changed(topics) {
    for (const room of this.#made) room.changed(topics);
  }

  view() {
    return html`
      <nav class="subnav" aria-label=${t("Settings")}>
        ${ROOMS.map((r, i) => html`<a href=${"/settings" + (r.path && "/" + r.path)} aria-current=${i === this.#at ? "page" : nothing}>${r.name()}</a>`)}
      </nav>
      ${this.#made[this.#at].view()}`;
  }
}
