import { html, nothing } from "/ui.js";
import { t } from "/words.js";

// copyButton copies a text. Browsers let a page do that only over https and on this
// machine; elsewhere there is no button.
export function copyButton(app, text) {
  return navigator.clipboard ? html`<button class="quiet" type="button" @click=${() => copy(app, text)}>${t("Copy")}</button>` : nothing;
}

async function copy(app, text) {
  try {
    await navigator.clipboard.writeText(text);
    app.tell(t("Copied."));
  } catch {
    app.tell(t("The browser does not let this page copy. Mark it and copy it by hand."), true);
  }
}
