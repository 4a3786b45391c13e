// What happened to the schema changes of a job, the newest first.

import { el, fill, keepFocus } from "./dom.js";
import { onLanguage, word } from "./i18n.js";
import { read, url } from "./api.js";
import { repeat, sentence } from "./repeat.js";
import {
  addressFilter,
  filterForm,
  filterOfAddress,
  isAll,
  parametersOf,
} from "./timeline-filter.js";
import { losses, recordList } from "./timeline-list.js";
import { tablesOf, withNewest, withOlder } from "./timeline-pages.js";

const SECONDS = 15;
const PAGE = 50;

/** The most that the gateway gives at once, which is also what it keeps of a job. */
const MOST = 500;

/**
 * Begins at once.
 *
 * @param section with its heading inside
 * @param jobId in plain digits
 */
export function mountTimeline(section, jobId) {
  const resource = `job-info/${jobId}/schema-evolution`;
  let filter = filterOfAddress();
  let known = null; // what was read with this filter
  let tag = { path: null, etag: null };
  let off = false;
  let reading = true;
  let fault = "";
  const list = recordList();

  const aid = el("p", { class: "note" });
  const form = filterForm(choose);
  const box = el("div");
  const status = el("p", { class: "note", role: "status" });
  const gaps = el("div");
  const foot = el("div", { class: "changes-foot" });
  section.append(aid, form.element, box, status, gaps, list.element, foot);
  section.hidden = false;
  drawWords();
  onLanguage(drawWords);
  window.addEventListener("popstate", () => use(filterOfAddress()));
  const repeated = repeat({ work, seconds: SECONDS, box, again: () => !off });

  function drawWords() {
    aid.textContent = word("timeline.aid");
    form.draw(filter);
    list.forget();
    draw();
  }

  function choose(chosen) {
    addressFilter(chosen);
    use(chosen);
  }

  function use(chosen) {
    if (parametersOf(chosen) !== parametersOf(filter)) {
      filter = chosen;
      known = null;
      reading = true;
      fault = "";
      form.draw(filter);
      draw();
      repeated.now();
    }
  }

  /** As much as is shown: what is open below the first page changes as well. */
  function newest() {
    const limit = Math.min(MOST, Math.max(PAGE, known?.records.length ?? 0));
    return `${resource}?${parametersOf({ limit, ...filter })}`;
  }

  async function work() {
    const asked = filter;
    const path = newest();
    let answer;
    try {
      answer = await read(path, path === tag.path && known !== null ? tag.etag : null);
    } catch (problem) {
      if (asked !== filter) {
        return; // the answer for the present filter is still to come
      }
      reading = false;
      off = problem.code === "NOT_FOUND";
      draw();
      if (off) {
        return;
      }
      throw problem;
    }
    if (asked === filter && answer.body !== null) {
      tag = { path, etag: answer.etag };
      show(withNewest(known, answer.body));
    }
  }

  function show(all) {
    known = all;
    reading = false;
    off = false;
    form.offer(tablesOf(all.records));
    draw();
  }

  async function showOlder(event) {
    event.target.disabled = true;
    const asked = filter;
    const before = known.nextBeforeSequence;
    const parameters = parametersOf({ limit: PAGE, beforeSequence: before, ...filter });
    let page = null;
    fault = "";
    try {
      ({ body: page } = await read(`${resource}?${parameters}`));
    } catch (problem) {
      fault = sentence(problem);
    }
    if (asked !== filter || known === null) {
      return;
    }
    // A refresh may have begun anew meanwhile; then the page has no place any more.
    const fits = page !== null && known.nextBeforeSequence === before;
    const more = fits ? withOlder(known, page) : known;
    if (more === null) {
      known = null;
      repeated.now();
    } else {
      show(more);
    }
  }

  function draw() {
    const shown = off ? null : known;
    form.element.hidden = off;
    keepFocus(section, () => {
      status.textContent = count();
      fill(gaps, shown === null ? null : losses(shown));
      list.show(shown === null ? [] : shown.records, isAll(filter));
      fill(foot, shown === null ? null : footOf(shown));
    });
  }

  function count() {
    if (off) {
      return word("timeline.off");
    }
    if (known === null) {
      return reading ? word("timeline.reading") : "";
    }
    const n = known.records.length;
    if (n === 0) {
      return word(isAll(filter) ? "timeline.none" : "timeline.nomatch");
    }
    return word(known.nextBeforeSequence === null ? "timeline.count" : "timeline.countmore", { n });
  }

  function footOf({ nextBeforeSequence }) {
    const json = url(`${resource}?${parametersOf(filter)}`).href;
    return [
      nextBeforeSequence === null
        ? null
        : el(
            "button",
            { type: "button", "data-key": "older", onclick: showOlder },
            word("timeline.older"),
          ),
      el("p", { class: "fault", role: "alert" }, fault),
      el("a", { href: json, "data-key": "json" }, word("picture.json")),
    ];
  }
}
