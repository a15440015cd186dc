// When jobs are due, in the language of the reader.

import { t } from "/words.js";

const DAY = 86_400; // seconds
const UNITS = { day: DAY, hour: 3600, minute: 60, second: 1 };
const MOST = 4; // times of a day that are named one by one

const tongue = () => document.documentElement.lang;
const list = (words) => new Intl.ListFormat(tongue()).format(words);

// whenWords is the schedule of a job; home is the zone in which its owner lives. What
// takes too many words here is as the server has it.
export function whenWords(job, home) {
  const { kind, at, every, cron, zone } = job.schedule;
  const clock = new Clock(zone || home || undefined);
  const words = kind === "once" ? t("once, on {0}", clock.moment(at)) : kind === "every" ? everyWords(every / 1e9, at, clock) : cronWords(cron);
  if (!words) return t(job.when);
  return zone && zone !== home ? `${words} (${zone})` : words;
}

// distance is how far an instant is from now.
export function distance(instant) {
  const seconds = (new Date(instant) - Date.now()) / 1000;
  const unit = Object.keys(UNITS).find((u) => Math.abs(seconds) >= UNITS[u] * 1.5) ?? "second";
  return new Intl.RelativeTimeFormat(tongue(), { numeric: "auto" }).format(Math.round(seconds / UNITS[unit]), unit);
}

// length is a length of time, given in seconds.
export function length(seconds) {
  const parts = [];
  for (const [unit, long] of Object.entries(UNITS)) {
    const n = Math.floor(seconds / long);
    if (n) parts.push(n.toLocaleString(tongue(), { style: "unit", unit, unitDisplay: "long" }));
    seconds -= n * long;
  }
  return list(parts);
}

// lengthWords is a length of time as the server writes them: "2 hours and 30 minutes",
// or 2h30m0s.
export function lengthWords(words) {
  const unit = (letter) => UNITS[Object.keys(UNITS).find((u) => u[0] === letter)];
  return length([...words.matchAll(/(\d+) ?([dhms])/g)].reduce((sum, [, n, letter]) => sum + n * unit(letter), 0)) || words;
}

// Clock writes times as a clock in a zone shows them.
class Clock {
  #zone;

  constructor(zone) {
    this.#zone = zone;
  }

  moment(at) {
    return new Date(at).toLocaleString(tongue(), { dateStyle: "full", timeStyle: "short", timeZone: this.#zone });
  }

  hour(at) {
    return new Date(at).toLocaleTimeString(tongue(), { timeStyle: "short", timeZone: this.#zone });
  }

  weekday(at) {
    return new Date(at).toLocaleDateString(tongue(), { weekday: "long", timeZone: this.#zone });
  }
}

// utc writes what is no instant, but a field of a calendar.
const utc = new Clock("UTC");

// everyWords says that something comes in even steps, counted from a moment. Whole
// days are those of the calendar.
function everyWords(seconds, at, clock) {
  const days = seconds / DAY;
  if (days === 7) return t("every week on {0} at {1}", clock.weekday(at), clock.hour(at));
  if (Number.isInteger(days / 7)) return t("every {0} weeks on {1} at {2}", days / 7, clock.weekday(at), clock.hour(at));
  if (days === 1) return t("every day at {0}", clock.hour(at));
  if (Number.isInteger(days)) return t("every {0} days at {1}", days, clock.hour(at));
  return stepWords(seconds);
}

function stepWords(seconds) {
  if (seconds === 3600) return t("every hour");
  return t("every {0}", length(seconds));
}

// cronWords says when a cron expression is due; empty if it is not one of the usual.
function cronWords(cron) {
  const [minutes, hours, dates, months, days] = cron.split(/\s+/).map(numbers);
  const bound = [dates, months, days].map((f) => (f === "*" ? "*" : "n")).join("");
  if (hours === "*" && bound === "***") return hourlyWords(minutes);
  const times = timesWords(minutes, hours);
  if (!times) return "";
  switch (bound) {
    case "***":
      return t("every day at {0}", times);
    case "**n":
      return daysWords(days, times);
    case "n**":
      return dates.length ? t("every month on day {0} at {1}", list(dates.map(String)), times) : "";
    case "nn*":
      return dates.length === 1 && months.length === 1 ? t("every year on {0} at {1}", dateWords(dates[0], months[0]), times) : "";
  }
  return "";
}

// numbers are those that a field of a cron expression names: "*" for all, nothing for
// a field that is written in another way.
function numbers(field) {
  if (field === "*") return "*";
  const [, step] = field.match(/^\*\/(\d+)$/) ?? [];
  if (step) return { step: Number(step) };
  if (!/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(field)) return [];
  return field.split(",").flatMap((part) => {
    const [from, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

function hourlyWords(minutes) {
  if (60 % minutes.step === 0) return stepWords(60 * minutes.step);
  return minutes.length && minutes.length <= MOST ? t("every hour at minute {0}", list(minutes.map(String))) : "";
}

function timesWords(minutes, hours) {
  const n = minutes.length * hours.length;
  if (!(n <= MOST) || minutes === "*" || hours === "*") return "";
  return list([...hours].flatMap((h) => [...minutes].map((m) => utc.hour(Date.UTC(2000, 0, 1, h, m)))));
}

// daysWords names days of the week. 2 January 2000 was a Sunday.
function daysWords(days, times) {
  if (!days.length) return "";
  if (days.join() === "1,2,3,4,5") return t("every weekday at {0}", times);
  const names = days.map((d) => utc.weekday(Date.UTC(2000, 0, 2 + (d % 7))));
  return t("every {0} at {1}", list(names), times);
}

function dateWords(date, month) {
  return new Date(Date.UTC(2000, month - 1, date)).toLocaleDateString(tongue(), { day: "numeric", month: "long", timeZone: "UTC" });
}
