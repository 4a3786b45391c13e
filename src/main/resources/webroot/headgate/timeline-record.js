// One schema change: a line that says what became of it, and opens to what was reported of it.

import { el, fill, foreign, icon } from "./dom.js";
import { word } from "./i18n.js";
import { moment } from "./jobs.js";
import { growing, stageRows, stagesTable, targetsTable } from "./timeline-details.js";
import { line } from "./timeline-line.js";
import {
  fateBadge,
  isOpen,
  kindOf,
  nestedKinds,
  reasonText,
  unreported,
} from "./timeline-outcome.js";

/**
 * @param record of the timeline's route
 * @param opened the ids of records that are open; kept up to date
 */
export function recordItem(record, opened) {
  const id = record.schemaChangeId;
  const body = el("div", { class: "change-body" });
  const details = el(
    "details",
    { class: "change", open: opened.has(id), ontoggle: () => toggled() },
    el("summary", { "data-key": `change ${id}` }, line(record)),
    body,
  );
  toggled();
  return el("li", {}, details);

  /** What nobody has opened is not drawn. */
  function toggled() {
    if (details.open) {
      opened.add(id);
      if (body.firstChild === null) {
        fill(body, contents(record));
      }
    } else {
      opened.delete(id);
    }
  }
}

function contents(record) {
  return [
    record.detailsTruncated ? warning(word("timeline.detailscut")) : null,
    facts(record),
    targets(record),
    stages(record),
  ];
}

function warning(text) {
  return el("p", { class: "warning" }, icon("warning"), el("span", {}, text));
}

function facts(record) {
  const open = isOpen(record);
  const fact = (key, value) => el("div", {}, el("dt", {}, word(key)), el("dd", {}, value));
  const code = (text) => el("code", {}, text);
  return el(
    "dl",
    { class: "facts" },
    fact(
      "timeline.source",
      record.sourceTable === null ? unreported() : foreign(record.sourceTable),
    ),
    fact(
      "timeline.kind",
      record.eventType === null ? unreported() : [kindOf(record.eventType), code(record.eventType)],
    ),
    record.nestedTypes.length === 0
      ? null
      : fact("timeline.nested", nestedKinds(record.nestedTypes)),
    fact("timeline.outcome", fateBadge(record, open)),
    fact(
      "timeline.reason",
      record.reasonCode === null
        ? unreported()
        : [reasonText(record.reasonCode), code(record.reasonCode)],
    ),
    fact(
      "timeline.policy",
      record.policy === "NOT_EVALUATED" ? unreported() : code(record.policy),
    ),
    fact(
      "timeline.made",
      record.eventCreatedAt === null ? unreported() : moment(record.eventCreatedAt),
    ),
    fact("timeline.heard", moment(record.observedAt)),
    fact("timeline.over", over(record.completedAt, open)),
    fact("timeline.change", code(record.schemaChangeId)),
  );
}

function over(completedAt, open) {
  if (completedAt !== null) {
    return moment(completedAt);
  }
  return open ? word("timeline.notover") : unreported();
}

function targets(record) {
  const { targets: listed, targetCount: all } = record;
  const cut = record.targetsTruncated ? warning(word("timeline.targetscut")) : null;
  if (listed.length === 0) {
    return [el("p", {}, noTarget(all)), cut];
  }
  const caption =
    all === null
      ? word("timeline.targets", { n: listed.length })
      : word("timeline.targetsof", { n: listed.length, all });
  return [
    growing(`targets ${record.schemaChangeId}`, listed, (part) =>
      targetsTable(part, isOpen(record), caption),
    ),
    cut,
  ];
}

function noTarget(all) {
  if (all === null) {
    return word("timeline.notargets");
  }
  return all === 0 ? word("timeline.zerotargets") : word("timeline.unnamed", { all });
}

function stages(record) {
  const rows = stageRows(record);
  return growing(`stages ${record.schemaChangeId}`, rows, (part) =>
    stagesTable(part, word("timeline.stages")),
  );
}
