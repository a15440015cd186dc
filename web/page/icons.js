// The pictures of the rooms, beside or in place of their names.

import { html, svg } from "/ui.js";

const SHAPES = {
  chat: svg`<path d="M4 5h16v11H9l-5 4z"/>`,
  memory: svg`<path d="M12 5v15M12 5C10 3 7 3 4 4v14c3-1 6-1 8 2 2-3 5-3 8-2V4c-3-1-6-1-8 1z"/>`,
  jobs: svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>`,
  usage: svg`<path d="M4 20h16M7 16v-4M12 16V5M17 16V9"/>`,
  channels: svg`<path d="M9 15a4 4 0 0 1 0-5.7l3-3A4 4 0 0 1 17.7 12l-1.4 1.4M15 9a4 4 0 0 1 0 5.7l-3 3A4 4 0 0 1 6.3 12l1.4-1.4"/>`,
  settings: svg`<path d="M4 7h9M19 7h1M4 17h1M11 17h9"/><circle cx="16" cy="7" r="2.5"/><circle cx="8" cy="17" r="2.5"/>`,
  search: svg`<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>`,
  leave: svg`<path d="M10 4H5v16h5M15 8l4 4-4 4M19 12H9"/>`,
  clip: svg`<path d="m20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.6 1.6 0 0 1-2.3-2.3L14.5 7.5"/>`,
  send: svg`<path d="M12 19V5m0 0-6 6m6-6 6 6"/>`,
};

// icon is the picture of that name. It says nothing to those who do not see it.
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${SHAPES[name]}</svg>`;
}
