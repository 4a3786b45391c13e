// What every page has: the two choices in its head, the banner over recorded jobs.

import { byId, el, fill } from "./dom.js";
import { apply, language, onLanguage, setLanguage, word } from "./i18n.js";

const THEMES = ["auto", "light", "dark"];
const LANGUAGES = { en: "English", zh: "中文" };

/** Draws the head; each page calls it once. */
export function openShell() {
  apply();
  const choices = byId("choices");
  const draw = () =>
    fill(
      choices,
      choice("theme", word("shell.theme"), theme(), setTheme, (name) => word(`shell.${name}`), THEMES),
      choice(
        "language",
        word("shell.language"),
        language(),
        setLanguage,
        (code) => LANGUAGES[code],
        Object.keys(LANGUAGES),
      ),
    );
  draw();
  onLanguage(() => {
    const focused = document.activeElement?.id;
    draw();
    if (focused === "theme" || focused === "language") {
      byId(focused).focus();
    }
  });
}

function choice(id, label, value, choose, name, values) {
  return el(
    "label",
    { class: "choice" },
    el("span", {}, label),
    el(
      "select",
      { id, onchange: (event) => choose(event.target.value) },
      values.map((each) => el("option", { value: each, selected: each === value }, name(each))),
    ),
  );
}

function theme() {
  return document.documentElement.dataset.theme ?? "auto";
}

function setTheme(name) {
  const root = document.documentElement;
  if (name === "auto") {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = name;
  }
  try {
    localStorage.setItem("headgate.theme", name);
  } catch {
    // It holds for this page, then.
  }
}

/** Says that what is shown was recorded, or nothing. */
export function showBanner(demo) {
  const banner = byId("banner");
  banner.hidden = !demo;
}

/** The title of the window, with the page's own part in front. */
export function setTitle(text) {
  document.title = `${text} · Headgate`;
}
