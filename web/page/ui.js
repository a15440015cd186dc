// What the rooms of the page are built of: templates, and what asks and tells.

import { html, nothing, render, svg } from "/lit/lit-html.js";
import { live } from "/lit/directives/live.js";
import { repeat } from "/lit/directives/repeat.js";
import { t } from "/words.js";

export { html, live, nothing, render, repeat, svg };

let dialogs = 0; // that were opened

// modal opens a dialog and resolves, when it is closed, to what close was given;
// undefined where it was left by Escape. make(close, update) is its content, with an
// h2 that names it; update shows it anew. The focus goes back to where it was by
// itself, and to the room where that is gone. forgotten(close) is called when something
// was forgotten, which the dialog may speak of.
export function modal(make, forgotten = (close) => close()) {
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    let result;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    const update = () => render(make(close, update), dialog);
    const forget = () => forgotten(close);
    document.addEventListener("forgotten", forget);
    dialog.addEventListener("close", () => {
      document.removeEventListener("forgotten", forget);
      dialog.remove();
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
      resolve(result);
    });
    document.body.append(dialog);
    update();
    dialog.setAttribute("aria-labelledby", dialog.querySelector("h2").id = `dialog-${++dialogs}`);
    dialog.showModal();
  });
}

// sure asks whether to do something, and resolves to whether.
export function sure({ title, body = nothing, yes, no = t("Cancel"), danger = false }) {
  return modal((close) => html`
    <h2>${title}</h2>
    ${body}
    <div class="row end">
      <button class="action plain" autofocus @click=${() => close(false)}>${no}</button>
      <button class="action ${danger ? "danger" : ""}" @click=${() => close(true)}>${yes}</button>
    </div>`).then(Boolean);
}

// field is a labelled input, textarea or select; hint is said below it.
export function field(label, input, hint = nothing) {
  return html`<label class="field"><span>${label}</span>${input}${hint === nothing ? nothing : html`<small>${hint}</small>`}</label>`;
}

// empty says that there is nothing, and what to do.
export function empty(text, more = nothing) {
  return html`<div class="empty"><p>${text}</p>${more}</div>`;
}

// problem says what is wrong, with a button to try again if there is something to try.
export function problem(text, again) {
  return text ? html`<div class="problem" role="alert"><p>${text}</p>${again ? html`<button class="quiet" @click=${again}>${t("Try again")}</button>` : nothing}</div>` : nothing;
}
