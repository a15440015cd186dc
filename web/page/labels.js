// What notes are called in words.

import { count, t } from "/words.js";

// The statuses in the order of trust. What was let go has two.
export const STATUSES = ["stated", "observed", "tentative", "candidate", "gone"];

// standing is the status of a note as people tell them apart.
export function standing(note) {
  return STATUSES.includes(note.status) ? note.status : "gone";
}

// live reports whether a note is in use.
export function live(note) {
  return ["stated", "observed", "tentative"].includes(note.status);
}

export function statusName(status) {
  return {
    stated: t("Confirmed"),
    observed: t("Learned"),
    tentative: t("Mentioned once"),
    candidate: t("Waiting for you"),
    gone: t("Let go"),
  }[status];
}

// statusMeaning says what follows from the status of a note.
export function statusMeaning(note) {
  switch (note.status) {
    case "stated":
      return t("You said so, or confirmed it. Nothing but you changes it.");
    case "observed":
      return t("It follows from more than one of your messages, or from your sent email.");
    case "tentative":
      return t("It follows from a single message. Confirm it if it is right.");
    case "candidate":
      return t("It is not used until you decide.");
    case "rejected":
      return t("You said no to it. It does not come back by itself.");
  }
  return t("It is in the archive and not used any more.");
}

export function areaName(area) {
  return {
    about: t("About you"),
    preferences: t("Preferences"),
    people: t("People"),
    routines: t("Routines"),
    lessons: t("Lessons"),
  }[area];
}

export function kindName(kind) {
  return {
    fact: t("Fact"),
    plan: t("Plan"),
    event: t("Event"),
    possession: t("Possession"),
    preference: t("Preference"),
    style: t("Style"),
  }[kind] ?? kind;
}

export function originName(origin) {
  return {
    stated: t("You asked to remember it"),
    inferred: t("Taken from what you said"),
    email: t("Learned from your sent email"),
    imported: t("Imported"),
    hand: t("You wrote it yourself"),
  }[origin] ?? origin;
}

export function topicName(topic) {
  return {
    health: t("health"),
    religion: t("religion"),
    politics: t("politics"),
    sexuality: t("sexuality"),
    "gender identity": t("gender identity"),
    ethnicity: t("ethnicity"),
    "immigration status": t("immigration status"),
    "criminal history": t("criminal history"),
  }[topic] ?? t("something personal");
}

export function channelName(channel) {
  return { telegram: "Telegram", whatsapp: "WhatsApp", web: t("the page"), terminal: t("the terminal"), elsewhere: t("another assistant") }[channel] ?? channel;
}

// scopeName says where a note applies. The scope of a group is its channel and its
// number there.
export function scopeName(scope) {
  if (!scope) return t("In your private chats");
  const at = scope.indexOf(":");
  return t("Only in the group {0} on {1}", scope.slice(at + 1), channelName(scope.slice(0, at)));
}

// recalled says how often a note was of use.
export function recalled(note) {
  return note.hits ? count(note.hits, "On {0} day", "On {0} days") : t("Not yet");
}

// date writes a date of the world as exactly as it is known: "2026", "2026-05",
// "2026-05-01" or "2026-05-01T09:30". It has no zone, as people have none in mind.
export function date(text) {
  const forms = { 4: { year: "numeric" }, 7: { year: "numeric", month: "long" }, 10: { dateStyle: "long" }, 16: { dateStyle: "long", timeStyle: "short" } };
  const form = forms[text.length];
  return form ? new Date(text.length === 16 ? text + "Z" : text).toLocaleString(document.documentElement.lang, { ...form, timeZone: "UTC" }) : text;
}

// span says when something is true; empty if that is not known.
export function span(note) {
  if (note.from && note.to) return t("From {0} to {1}", date(note.from), date(note.to));
  if (note.from) return t("Since {0}", date(note.from));
  return note.to ? t("Until {0}", date(note.to)) : "";
}
