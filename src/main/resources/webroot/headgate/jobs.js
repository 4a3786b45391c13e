// A list of jobs, out of the one that the gateway reads in the background: opening this page asks
// no engine for anything.

import { badge, el, fill, foreign, keepFocus } from "./dom.js";
import { span, time, word } from "./i18n.js";
import { read } from "./api.js";
import { jobLink } from "./links.js";
import { sentence } from "./repeat.js";
import { table } from "./table.js";
import { watch } from "./watch.js";

const PAGE = 100;
const SECONDS = 15;

/** So few need no filter. */
const FEW = 5;

/** How a state looks: kind of badge, and icon. */
const LOOKS = {
  RUNNING: ["good", "running"],
  FINISHED: ["plain", "good"],
  SAVEPOINT_DONE: ["plain", "good"],
  FAILED: ["bad", "bad"],
  FAILING: ["bad", "bad"],
  CANCELED: ["quiet", "skipped"],
  CANCELING: ["quiet", "skipped"],
  UNKNOWABLE: ["quiet", "unknown"],
};

/** The state of a job as a word that can't be mistaken for another one. */
export function stateBadge(state) {
  const [kind, symbol] = LOOKS[state] ?? ["wait", "waiting"];
  return badge(kind, symbol, word(`state.${state}`));
}

/** A point in time of a list, or a dash. */
export function moment(given) {
  if (given === null) {
    return el("span", { class: "none nothing" }, "–"); // not drawn on a narrow screen
  }
  const { text, zone, title } = time(given);
  return el("time", { datetime: given, title }, text, " ", el("span", { class: "zone" }, zone));
}

/**
 * Shows the jobs that run, or those that don't.
 *
 * @param section with its heading inside
 */
export function mountJobs(section, { running }) {
  const box = el("div");
  const rows = el("div");
  const foot = el("div");
  const path = running ? `jobs?state=RUNNING&limit=${PAGE}` : `jobs?limit=${PAGE}`;
  let first = { jobs: [], next: null, ageMillis: 0, complete: true };
  let more = [];
  let next = null;
  let filter = "";
  let fault = "";

  const listed = (page) => page.jobs.filter((job) => running || job.state !== "RUNNING");
  const field = el("input", {
    type: "search",
    autocomplete: "off",
    oninput: (event) => {
      filter = event.target.value.toLowerCase();
      draw();
    },
  });
  const label = el("label", { class: "filter", hidden: true }, el("span"), field);
  section.append(box, label, rows, foot);

  const watcher = watch({
    path,
    seconds: SECONDS,
    box,
    show: (page) => {
      first = page;
      if (more.length === 0) {
        next = page.next;
      }
      draw();
    },
    // With further pages open the first one could move under them; they are read on demand.
    again: () => more.length === 0,
  });

  async function showMore(event) {
    event.target.disabled = true;
    try {
      const { body: page } = await read(`${path}&after=${next}`);
      more = more.concat(listed(page));
      next = page.next;
      fault = "";
    } catch (problem) {
      fault = sentence(problem);
    }
    draw();
  }

  function draw() {
    const all = listed(first).concat(more);
    const shown = all.filter((job) => matches(job, filter));
    label.firstChild.textContent = word("jobs.filter");
    label.hidden = all.length <= FEW && filter === "";
    keepFocus(section, () => {
      fill(rows, shown.length === 0 ? nothing(all) : jobTable(shown));
      fill(
        foot,
        next === null
          ? null
          : el("button", { type: "button", "data-key": "more", onclick: showMore }, word("more")),
        more.length === 0
          ? null
          : el("button", { type: "button", onclick: fromTheTop }, word("jobs.fresh")),
        el("p", { class: "fault", role: "alert" }, fault),
        el("p", { class: "note" }, note()),
      );
    });
  }

  function fromTheTop() {
    more = [];
    watcher.now();
  }

  function nothing(all) {
    return el("p", {}, word(all.length === 0 ? "jobs.none" : "jobs.nomatch"));
  }

  function note() {
    return [
      word("jobs.age", { age: span(first.ageMillis) }),
      first.complete ? null : ` ${word("jobs.incomplete")}`,
      more.length === 0 ? null : ` ${word("jobs.paused")}`,
    ];
  }
}

function matches(job, filter) {
  return (
    filter === "" || job.jobId.includes(filter) || (job.name ?? "").toLowerCase().includes(filter)
  );
}

function jobTable(jobs) {
  const heads = ["id", "name", "state", "created", "ended", "source"];
  return table(
    heads.map((key) => word(`jobs.${key}`)),
    jobs.map((job) => [
      el("a", { href: jobLink(job.jobId), "data-key": job.jobId }, job.jobId),
      job.name === null ? el("span", { class: "none" }, "–") : foreign(job.name),
      stateBadge(job.state),
      moment(job.createTime),
      moment(job.finishTime),
      word(`source.${job.source}`),
    ]),
  );
}
