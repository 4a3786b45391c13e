// The one line of a schema change: what became of it, and where.

import { el, foreign, icon } from "./dom.js";
import { word } from "./i18n.js";
import { moment } from "./jobs.js";
import { fate, fateBadge, isOpen, kindOf, nestedKinds, reasonText } from "./timeline-outcome.js";

/** Targets that the line itself names; those that failed come first. */
const FEW = 3;

/** What stands in the line of a record, whether it is open or not. */
export function line(record) {
  const cut = record.targetsTruncated || record.detailsTruncated;
  return [
    el("span", { class: "change-fate" }, fateBadge(record, isOpen(record))),
    el(
      "span",
      { class: "change-what" },
      el("span", { class: "change-kind" }, kindInShort(record)),
      " ",
      record.sourceTable === null ? missing("timeline.notable") : foreign(record.sourceTable),
      targetsInShort(record),
    ),
    el(
      "span",
      { class: "change-when" },
      moment(record.eventCreatedAt ?? record.observedAt),
      " ",
      el("span", { class: "change-number" }, `#${record.sequence}`),
    ),
    el(
      "span",
      { class: "change-why" },
      whyInShort(record),
      cut ? el("span", { class: "change-cut" }, icon("warning"), word("timeline.cut")) : null,
    ),
  ];
}

/** Engines wrap each change of columns into one of "several columns"; what is inside says more. */
function kindInShort({ eventType, nestedTypes }) {
  return nestedTypes.length > 0
    ? nestedKinds(nestedTypes)
    : (kindOf(eventType) ?? word("timeline.nokind"));
}

function missing(key) {
  return el("em", { class: "none" }, word(key));
}

/** Where it went, and how it fared there. */
function targetsInShort(record) {
  const fates = record.targets.map((target) => ({ target, ...fate(target, isOpen(record)) }));
  fates.sort((one, other) => one.rank - other.rank); // stable
  const chip = ({ target, kind, icon: symbol, text }) =>
    el(
      "span",
      { class: `change-target change-${kind}` },
      icon(symbol),
      targetName(target),
      el("span", { class: "unseen" }, ` ${text}`),
    );
  return [
    fates.length === 0 ? null : el("span", { class: "change-arrow", "aria-hidden": "true" }, "→"),
    fates.length === 0 ? null : el("span", { class: "unseen" }, word("timeline.to")),
    fates.slice(0, FEW).map((each) => [" ", chip(each)]),
    fates.length > FEW
      ? el("span", { class: "none" }, ` ${word("nodes.andmore", { n: fates.length - FEW })}`)
      : null,
  ];
}

/** With its sink, if it was told: two sinks may write to tables of one name. */
function targetName({ table, sink }) {
  const name = table === null ? missing("timeline.notable") : foreign(table);
  return sink === null ? name : [name, el("span", { class: "none" }, foreign(sink))];
}

/** Nothing where the outcome says it all. */
function whyInShort({ outcome, reasonCode }) {
  const known = reasonCode !== null && reasonCode !== "UNKNOWN" && outcome !== "APPLIED";
  return known ? reasonText(reasonCode) : null;
}
