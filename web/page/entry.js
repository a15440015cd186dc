// What happened to memory, in words.

import { channelName, scopeName } from "/labels.js";
import { t } from "/words.js";

// who says who did something, and where.
export function who(entry) {
  switch (entry.writer) {
    case "chat":
      return entry.via ? t("The assistant, {0}", on(entry.via)) : t("The assistant");
    case "command":
      return entry.via ? t("You, in chat {0}", on(entry.via)) : t("You, in chat");
    case "page":
      return t("You, on this page");
    case "file":
      return t("You, in MEMORY.md");
    case "shell":
      return t("You, on the command line");
    case "import":
      return t("You, by an import");
    case "reflect":
      return t("Reading back what you said");
    case "repair":
      return t("Tidying up");
    case "style":
      return t("Reading your sent email");
    case "restore":
      return t("A backup that was put back");
  }
  return entry.writer;
}

// on says where something was said.
function on(channel) {
  return { web: t("on the page"), terminal: t("in the terminal") }[channel] ?? t("on {0}", channelName(channel));
}

// what says what was done.
export function what(entry) {
  switch (entry.kind) {
    case "add":
      return entry.reason ? t("Set aside for you") : t("Added");
    case "revise":
      return t("Corrected");
    case "support":
      return t("Heard again");
    case "settle":
      return settled(entry.status);
    case "erase":
      return ["undecided", "trimmed"].includes(entry.reason) ? t("Erased") : t("Forgotten");
    case "lift":
      return t("Allowed again");
    case "pin":
      return t("Pinned");
    case "unpin":
      return t("Unpinned");
    case "switch":
      return entry.on ? t("Switched on: {0}", setting(entry.setting)) : t("Switched off: {0}", setting(entry.setting));
    case "undo":
      return t("Taken back");
    case "intend":
      return t("Forgetting began");
    case "finish":
      return t("Forgetting is done");
  }
  return t("Refused");
}

// settled says what a note became; of one that was forgotten since, that went with it.
function settled(status) {
  return { stated: t("Confirmed"), archived: t("Archived"), rejected: t("Rejected") }[status] ?? t("Changed");
}

function setting(name = "") {
  switch (name) {
    case "saving":
      return t("remembering new things");
    case "sensitive":
      return t("sensitive topics");
    case "checkpoints":
      return t("daily checkpoints");
  }
  return t("memory of a group ({0})", scopeName(name.replace(/^group\//, "")));
}

// why says why, where what happened does not say it itself.
export function why(entry) {
  return entry.reason && entry.reason !== "owner" && entry.words ? t(entry.words) : "";
}
