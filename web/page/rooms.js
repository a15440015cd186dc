// The rooms of the page, and the way between them.

import { t } from "/words.js";

// A room is a class made with the page. enter(rest) is called when the path leads
// there, rest being what stands behind the room's own; leave() when it leads away;
// view() gives what is to be seen; changed(topics) says what is different now, of
// which it may not have heard everything while the connection was lost: "forgotten" is
// among them when everything that the server said goes, shown or not, and is read
// anew, and only what was typed and not sent stays; focus() takes the focus when
// somebody comes from another room, where that is not its heading; title() is more for
// the window's name.
export const ROOMS = [
  { path: "/", icon: "chat", name: () => t("Chat") }, // made at once, because it hears what is said
  { path: "/memory", icon: "memory", name: () => t("Memory"), load: async () => (await import("/memory.js")).Memory },
  { path: "/jobs", icon: "jobs", name: () => t("Jobs"), load: async () => (await import("/jobs.js")).Jobs },
  { path: "/usage", icon: "usage", name: () => t("Usage"), load: async () => (await import("/usage.js")).Usage },
  { path: "/channels", icon: "channels", name: () => t("Channels"), load: async () => (await import("/channels.js")).Channels, operator: true },
  { path: "/settings", icon: "settings", name: () => t("Settings"), load: async () => (await import("/settings.js")).Settings },
  { path: "/history", icon: "search", name: () => t("History"), load: async () => (await import("/history.js")).History, aside: true },
];

// roomAt is the room to which a path leads; undefined if it leads out of the page.
export function roomAt(path) {
  return ROOMS.find((r) => path === r.path || (r.path !== "/" && path.startsWith(r.path + "/")));
}

// restOf is what stands behind the room's own part of a path.
export function restOf(room, path) {
  const rest = path.slice(room.path.length).replace(/^\//, "");
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest; // somebody cut the address
  }
}
