// Words in two languages. Pages have the English ones in their markup, under data-word; everything
// that is built later asks word().

import en from "./words-en.js";
import zh from "./words-zh.js";

const DICTIONARIES = { en, zh };
const KEY = "headgate.language";
const listeners = new Set();

let current = chosen();

function chosen() {
  let stored = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Storage is switched off; the browser's language it is.
  }
  if (stored in DICTIONARIES) {
    return stored;
  }
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** "en" or "zh". */
export function language() {
  return current;
}

/** Whether there is such a word. */
export function hasWord(key) {
  return Object.hasOwn(en, key);
}

/**
 * The text under this key, with {name} replaced by values.name. Numbers are written as the language
 * writes them. Values come out as they are: the result is text, never markup.
 */
export function word(key, values = {}) {
  const text = DICTIONARIES[current][key];
  if (text === undefined) {
    throw new Error(`no word ${key}`);
  }
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : String(value);
  });
}

/** Puts the words of the language into an element and all below it. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-word]")) {
    element.textContent = word(element.dataset.word);
  }
  for (const element of root.querySelectorAll("[data-word-label]")) {
    element.setAttribute("aria-label", word(element.dataset.wordLabel));
  }
}

/** Calls this after each change of the language; who shows words of their own draws them anew. */
export function onLanguage(listener) {
  listeners.add(listener);
}

export function setLanguage(code) {
  current = code in DICTIONARIES ? code : "en";
  try {
    localStorage.setItem(KEY, current);
  } catch {
    // It holds for this page, then.
  }
  apply();
  listeners.forEach((listener) => listener());
}

/** Puts the language into the document; once at the start, and after a change. */
export function apply() {
  document.documentElement.lang = current === "zh" ? "zh-CN" : "en";
  translate(document);
}

export function number(value) {
  return new Intl.NumberFormat(document.documentElement.lang).format(value);
}

/**
 * A point in time as the API gives it: with a Z in the reader's own zone, without as it stands,
 * since the engine does not tell its zone. Both are written alike, so that they can be compared.
 *
 * @return {text, zone, title}; zone says whose clock it is
 */
export function time(given) {
  if (!given.endsWith("Z")) {
    return {
      text: given.replace("T", " "),
      zone: word("time.unzoned"),
      title: word("time.engine"),
    };
  }
  const date = new Date(given);
  return { text: SORTABLE.format(date), zone: zone(date), title: given };
}

/** Of all the ways to write a date, Sweden's is that of ISO 8601, with a space. */
const SORTABLE = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });

function zone(date) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: "short" });
  return format.formatToParts(date).find((part) => part.type === "timeZoneName").value;
}

/** A duration, roughly. */
export function span(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 120) {
    return word("time.seconds", { n: seconds });
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120
    ? word("time.minutes", { n: minutes })
    : word("time.hours", { n: Math.round(minutes / 60) });
}
