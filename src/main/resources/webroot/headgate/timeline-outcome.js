// How a schema change and each of its targets fares, told apart at a glance: a word, an icon and a
// colour of its own for each. "Not reported" never looks like "applied". And words for codes.

import { badge } from "./dom.js";
import { hasWord, number, word } from "./i18n.js";

/** Kind of badge, and icon. */
const LOOKS = {
  APPLIED: ["good", "good"],
  PARTIALLY_APPLIED: ["warn", "partly"],
  FAILED: ["bad", "bad"],
  UNSUPPORTED: ["unsupported", "barred"],
  UNSUPPORTED_FAILED: ["unsupported", "barred"],
  UNSUPPORTED_IGNORED: ["unsupported", "barred"],
  SUPPORTED: ["plain", "good"],
  IGNORED: ["quiet", "skipped"],
  FILTERED: ["filtered", "funnel"],
  OPEN: ["wait", "waiting"],
  UNKNOWN: ["unreported", "unknown"],
  UNREPORTED: ["unreported", "unknown"],
};

/** Those that somebody has to look at come first. */
const URGENCY = ["FAILED", "UNSUPPORTED_FAILED", "UNKNOWN", "UNREPORTED", "OPEN"];

/**
 * What became of a change, of one target, or of one stage at it.
 *
 * @param entry with outcome and reasonCode
 * @param open whether it may still be reported
 * @return {kind, icon, text, rank}
 */
export function fate({ outcome, reasonCode }, open) {
  const key = fateKey(outcome, reasonCode, open);
  const [kind, icon] = LOOKS[key] ?? LOOKS.UNKNOWN;
  const urgency = URGENCY.indexOf(key);
  return {
    kind,
    icon,
    text: coded(`outcome.${key}`, outcome),
    rank: urgency < 0 ? URGENCY.length : urgency,
  };
}

function fateKey(outcome, reasonCode, open) {
  if (outcome === null) {
    return open ? "OPEN" : "UNREPORTED";
  }
  const unsupported =
    reasonCode === "SINK_UNSUPPORTED" && (outcome === "FAILED" || outcome === "IGNORED");
  return unsupported ? `UNSUPPORTED_${outcome}` : outcome;
}

export function fateBadge(entry, open) {
  const { kind, icon, text } = fate(entry, open);
  return badge(kind, icon, text);
}

/** What is not there because nobody said it, as a badge that can't be taken for an answer. */
export function unreported() {
  return badge(...LOOKS.UNREPORTED, word("outcome.UNREPORTED"));
}

/** Whether a sink can do it; null if nobody said. */
export function capabilityBadge(capability) {
  if (capability === null) {
    return unreported();
  }
  const [kind, icon] = LOOKS[capability] ?? LOOKS.UNKNOWN;
  return badge(kind, icon, coded(`capability.${capability}`, capability));
}

/** Why, in words; there is a code. */
export function reasonText(code) {
  return coded(`reason.${code}`, code);
}

/** Later versions may have more codes than there are words. */
function coded(key, code) {
  return hasWord(key) ? word(key) : code;
}

/** Whether more may still be reported of a record. */
export function isOpen(record) {
  return record.state === "IN_PROGRESS";
}

/** The kind of a change in words; null if nobody said. */
export function kindOf(eventType) {
  return eventType === null ? null : coded(`change.${eventType}`, eventType);
}

/** The kinds that a change consists of; the same one several times is said once. */
export function nestedKinds(types) {
  const counts = new Map();
  types.forEach((type) => counts.set(type, (counts.get(type) ?? 0) + 1));
  return [...counts]
    .map(([type, count]) => `${count > 1 ? `${number(count)} × ` : ""}${kindOf(type)}`)
    .join(", ");
}
