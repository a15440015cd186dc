// What comes with a message: files, and images among them.

import { number, t } from "/words.js";

// Images that browsers show without running anything in them.
export const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

// attached makes a link that saves a file, below the image if it is one.
export function attached(f) {
  const bytes = Uint8Array.from(atob(f.data), (c) => c.charCodeAt(0));
  const link = document.createElement("a");
  link.textContent = link.download = f.name || t("file");
  link.dir = "auto";
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const size = document.createElement("span");
  size.className = "size";
  size.textContent = sizeOf(bytes.length);
  const figure = document.createElement("figure");
  if (SHOWN.has(f.mime)) figure.append(image(f));
  figure.append(link, " ", size);
  return figure;
}

function image(f) {
  const e = document.createElement("img");
  e.src = `data:${f.mime};base64,${f.data}`;
  e.alt = f.name || t("image");
  return e;
}

export function sizeOf(n) {
  if (n < 1000) return `${number(n)} B`;
  return n < 1e6 ? `${number(Math.round(n / 1e3))} kB` : `${number(Math.round(n / 1e5) / 10)} MB`;
}
