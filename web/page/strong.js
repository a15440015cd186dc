import { html } from "/ui.js";

// strong shows a text; what stands between two pairs of stars is strong.
export function strong(text) {
  return text.split("**").map((part, i) => (i % 2 ? html`<strong>${part}</strong>` : part));
}
