// Work that asks the gateway for something: done again from time to time and after failures, at
// rest while nobody looks, with one plain sentence where it fails.

import { el, fill, icon } from "./dom.js";
import { hasWord, onLanguage, time, word } from "./i18n.js";
import { Problem } from "./api.js";

/** Waits grow up to this while an answer keeps failing. */
const LONGEST_WAIT_SECONDS = 60;

/** The one sentence for a problem, by its code, or else by its status. */
export function sentence(problem) {
  for (const key of [`problem.${problem.code}`, `problem.${problem.status}`]) {
    if (hasWord(key)) {
      return word(key);
    }
  }
  return word("problem.other");
}

/**
 * Begins at once.
 *
 * @param work an asynchronous function; fails with a Problem
 * @param seconds from one success to the next time; 0 for no next time
 * @param box an element of its own: empty, or says what is wrong, with a countdown if that may pass
 * @param again whether to go on after a success; always, if left out
 */
export function repeat({ work, seconds, box, again = () => true }) {
  let doneAt = null;
  let problem = null;
  let failures = 0;
  let dueAt = null;
  let timer = null;
  let busy = false;
  let wanted = false;

  async function now() {
    if (busy) {
      wanted = true; // what is under way may be too old for whoever asks
      return;
    }
    busy = true;
    dueAt = null;
    clearTimeout(timer);
    box.querySelectorAll("button").forEach((button) => (button.disabled = true));
    try {
      await work();
      problem = null;
      failures = 0;
      doneAt = new Date();
      if (seconds > 0 && again()) {
        plan(seconds);
      }
    } catch (e) {
      if (!(e instanceof Problem)) {
        throw e; // a fault of ours, which belongs into the console
      }
      problem = e;
      failures += 1;
      if (problem.passing) {
        const growing = 2 ** Math.min(failures, 6);
        plan(Math.min(LONGEST_WAIT_SECONDS, Math.max(problem.retryAfter ?? 0, growing)));
      }
    } finally {
      busy = false;
      draw();
      if (wanted) {
        wanted = false;
        now();
      }
    }
  }

  function plan(wait) {
    dueAt = Date.now() + wait * 1000;
    tick();
  }

  /** Once a second while a countdown is shown, else only when it is time. */
  function tick() {
    clearTimeout(timer);
    if (dueAt === null || document.hidden) {
      return;
    }
    const left = dueAt - Date.now();
    if (left <= 0) {
      now();
      return;
    }
    count();
    timer = setTimeout(tick, problem === null ? left : Math.min(left, 1000));
  }

  function count() {
    const counter = box.querySelector(".countdown");
    if (counter !== null) {
      const left = dueAt === null ? null : Math.max(0, Math.ceil((dueAt - Date.now()) / 1000));
      counter.textContent = left === null ? "" : word("problem.retry", { n: left });
    }
  }

  function draw() {
    const hadFocus = box.contains(document.activeElement);
    fill(box, problem === null ? null : problemBox(problem, doneAt, now));
    count();
    if (hadFocus) {
      box.querySelector("button")?.focus();
    }
  }

  document.addEventListener("visibilitychange", tick);
  onLanguage(draw);
  now();
  return { now };
}

function problemBox(problem, doneAt, retry) {
  const at = doneAt === null ? null : time(doneAt.toISOString());
  return el(
    "div",
    { class: "problem" },
    icon("warning"),
    el(
      "div",
      {},
      el("p", { role: "alert" }, sentence(problem)),
      at === null ? null : el("p", {}, word("problem.stale", { time: `${at.text} ${at.zone}` })),
      el(
        "p",
        { class: "problem-foot" },
        el("button", { type: "button", onclick: retry }, word("problem.now")),
        el("span", { class: "countdown" }),
        el("code", {}, [problem.status || null, problem.code].filter(Boolean).join(" ")),
      ),
    ),
  );
}
