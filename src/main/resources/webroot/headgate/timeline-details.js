// The two tables of a schema change: how each target fared, and what was reported stage by stage.

import { el, fill, foreign, keepFocus } from "./dom.js";
import { hasWord, number, word } from "./i18n.js";
import { moment } from "./jobs.js";
import { table } from "./table.js";
import { capabilityBadge, fateBadge, reasonText, unreported } from "./timeline-outcome.js";

/** @param open whether more may be reported */
export function targetsTable(targets, open, caption) {
  const heads = ["target", "outcome", "capability", "attempt", "began", "ended"];
  return table(
    heads.map((key) => word(`timeline.${key}`)),
    targets.map((target) => [
      place(target),
      [fateBadge(target, open), why(target)],
      capabilityBadge(target.capability),
      number(target.attempt),
      target.applyStartedAt === null ? unreported() : moment(target.applyStartedAt),
      ended(target, open),
    ]),
    caption,
  );
}

function ended({ completedAt, outcome }, open) {
  if (completedAt !== null) {
    return moment(completedAt);
  }
  return open && outcome === null ? word("timeline.notover") : unreported();
}

/** @param rows {stage, decision}; decision is null for a stage that nobody reported */
export function stagesTable(rows, caption) {
  const heads = ["stage", "at", "target", "attempt", "said"];
  return table(
    heads.map((key) => word(`timeline.${key}`)),
    rows.map(({ stage, decision }) =>
      decision === null
        ? [stageText(stage), nothing(), nothing(), nothing(), unreported()]
        : [
            stageText(stage),
            decision.at === null ? unreported() : moment(decision.at),
            decision.target === null ? word("timeline.whole") : place(decision.target),
            number(decision.attempt),
            said(decision),
          ],
    ),
    caption,
  );
}

function stageText(stage) {
  return hasWord(`stage.${stage}`) ? word(`stage.${stage}`) : stage;
}

function nothing() {
  return el("span", { class: "none nothing" }, "–"); // not drawn on a narrow screen
}

/** A target by its table, and by which sink and writer of it. */
function place({ table: name, sink, subWriter }) {
  const part = (key, value) =>
    value === null ? null : el("div", { class: "note" }, `${word(key)} `, foreign(value));
  return el(
    "div",
    {},
    name === null ? el("em", { class: "none" }, word("timeline.notable")) : foreign(name),
    part("timeline.sink", sink),
    part("timeline.writer", subWriter),
  );
}

/** Why it ended so, and the reported text, if the gateway shows such texts. */
function why({ reasonCode, errorSummary }) {
  return [
    reasonCode === null ? null : el("div", { class: "note" }, reasonText(reasonCode)),
    errorSummary === null ? null : el("div", { class: "change-error" }, lines(errorSummary)),
  ];
}

function lines(text) {
  return text.split(/\r?\n/).map((each) => el("div", {}, foreign(each)));
}

/** What one report says besides that the stage was passed. */
function said(decision) {
  const { outcome, capability, policy } = decision;
  const parts = [
    outcome === null ? null : fateBadge(decision, false),
    capability === null ? null : capabilityBadge(capability),
    policy === null ? null : el("div", {}, `${word("timeline.policy")} `, el("code", {}, policy)),
    why(decision),
  ];
  return parts.flat().some((part) => part !== null) ? parts : word("timeline.passed");
}

/** The stages of a change, in the order of its way. */
const STAGES = [
  "OBSERVED",
  "NORMALIZED",
  "TRANSFORMED",
  "FILTERED",
  "TARGET_RESOLVED",
  "POLICY_EVALUATED",
  "CAPABILITY_EVALUATED",
  "APPLY_STARTED",
  "COMPLETED",
];

/** What was reported, and between it what was not: decision is null there. */
export function stageRows({ decisions, unavailableStages }) {
  const rows = decisions
    .map((decision) => ({ stage: decision.stage, decision }))
    .concat(unavailableStages.map((stage) => ({ stage, decision: null })));
  const place = ({ stage }) => (STAGES.includes(stage) ? STAGES.indexOf(stage) : STAGES.length);
  return rows.sort((one, other) => place(one) - place(other)); // stable
}

/** Rows that are drawn at first, and how many more with each press. */
const ROWS = 50;

/** A table that shows its first rows, and more on demand: one change can have hundreds. */
export function growing(key, rows, table) {
  const container = el("div");
  let shown = ROWS;
  const draw = () =>
    keepFocus(container, () =>
      fill(
        container,
        table(rows.slice(0, shown)),
        rows.length > shown
          ? el("button", { type: "button", "data-key": key, onclick: more }, word("more"))
          : null,
      ),
    );
  const more = () => {
    shown += ROWS;
    draw();
  };
  draw();
  return container;
}
