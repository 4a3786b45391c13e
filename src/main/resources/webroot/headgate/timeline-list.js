// The list of a timeline's records, and what is said of those that it does not have.

import { el, icon } from "./dom.js";
import { word } from "./i18n.js";
import { gap } from "./timeline-pages.js";
import { recordItem } from "./timeline-record.js";

/**
 * An empty list. What is open in it stays open as long as the page is there.
 *
 * @return {element, show(records, all), forget()}; all is whether no filter left any out, and after
 *     forget everything is drawn anew
 */
export function recordList() {
  const element = el("ol", { class: "changes", role: "list" });
  const opened = new Set();
  const items = new Map(); // by key: elements, with what they were drawn from

  /** Records, and between them what is not kept any more; a filter leaves holes of its own. */
  function wantedItems(records, all) {
    return records.flatMap((record, at) => {
      const hole = all && at > 0 ? gap(records[at - 1], record) : null;
      const item = itemOf(record.schemaChangeId, record, (given) => recordItem(given, opened));
      return hole === null ? item : [itemOf(`gap ${hole.from}`, hole, gapItem), item];
    });
  }

  /** The one that is there already, unless what it says has changed. */
  function itemOf(key, content, draw) {
    const text = JSON.stringify(content);
    const item = items.get(key);
    return item?.text === text ? item : { key, text, drawn: draw(content) };
  }

  return {
    element,
    /** Moves nothing that is in its place: what is read or operated stays where it is. */
    show(records, all) {
      const wanted = wantedItems(records, all);
      items.clear();
      wanted.forEach((item) => items.set(item.key, item));
      const kept = new Set(wanted.map((item) => item.drawn));
      [...element.children].filter((each) => !kept.has(each)).forEach((each) => each.remove());
      wanted.forEach(({ drawn }, at) => {
        if (element.children[at] !== drawn) {
          element.insertBefore(drawn, element.children[at] ?? null);
        }
      });
      element.hidden = wanted.length === 0;
    },
    forget: () => items.clear(),
  };
}

function gapItem({ from, to }) {
  const text =
    from === to
      ? word("timeline.gapone", { n: `#${from}` })
      : word("timeline.gap", { from: `#${from}`, to: `#${to}` });
  return el("li", { class: "changes-gap" }, text);
}

/** What is missing in this timeline, in a sentence for each reason. */
export function losses({ evictedRecords, evictedUnresolved, droppedEvents, truncated, records }) {
  const cut = records.filter((each) => each.targetsTruncated || each.detailsTruncated).length;
  const lines = [
    evictedRecords === 0
      ? null
      : word("timeline.evicted", { n: evictedRecords, open: evictedUnresolved }),
    droppedEvents === 0 ? null : word("timeline.dropped", { n: droppedEvents }),
    cut === 0 ? null : word("timeline.cutrecords", { n: cut }),
  ].filter((line) => line !== null);
  if (truncated && lines.length === 0) {
    lines.push(word("timeline.truncated"));
  }
  return lines.length === 0
    ? null
    : el(
        "div",
        { class: "warning" },
        icon("warning"),
        el("div", {}, lines.map((line) => el("p", {}, line))),
      );
}
