// How this gateway is: what is in use, what was refused, and which members of the engine it spares.

import { badge, el, fill } from "./dom.js";
import { hasWord, number, word } from "./i18n.js";
import { table } from "./table.js";
import { watch } from "./watch.js";

const SECONDS = 5;

/**
 * @param section with its heading inside
 * @param told called with each state that was read
 */
export function mountGateway(section, told) {
  const box = el("div");
  const body = el("div");
  section.append(box, body);
  watch({
    path: "ui/state",
    seconds: SECONDS,
    box,
    show: (state) => {
      told(state);
      fill(body, facts(state), pools(state.pools), refusals(state.lineage));
    },
  });
}

function facts(state) {
  const { health, flights, connections } = state;
  return el(
    "dl",
    { class: "facts" },
    fact(
      "gateway.ready",
      health.status === "UP"
        ? badge("good", "good", word("gateway.up"))
        : badge("bad", "bad", word("gateway.down")),
    ),
    fact("gateway.members", members(health.sources)),
    health.cluster === undefined ? null : fact("gateway.cluster", cluster(health.cluster)),
    fact("gateway.connections", number(connections)),
    fact("gateway.underway", number(flights.underWay)),
    fact("gateway.waiting", number(flights.waiting)),
    fact("gateway.begun", number(flights.begun)),
    fact("gateway.saved", number(flights.joined + flights.reused)),
    fact("gateway.overdue", number(flights.overdue)),
    fact("gateway.crowded", number(flights.crowded)),
  );
}

function fact(key, value) {
  return el("div", {}, el("dt", {}, word(key)), el("dd", {}, value));
}

function members(sources) {
  if (sources.length === 0) {
    return word("gateway.nomembers");
  }
  return sources.map(({ member, usable }) =>
    usable
      ? badge("good", "good", word("gateway.usable", { n: member }))
      : badge("bad", "bad", word("gateway.spared", { n: member })),
  );
}

function cluster({ members: count, minimum, joined }) {
  const text = word("gateway.seen", { n: count, minimum });
  return joined && count >= minimum
    ? badge("good", "good", text)
    : badge("bad", "bad", joined ? text : word("gateway.joining"));
}

function pools(list) {
  const heads = ["pool", "used", "limit", "granted", "refused"];
  return table(
    heads.map((key) => word(`pools.${key}`)),
    list.map((each) => [
      hasWord(`pool.${each.pool}`) ? word(`pool.${each.pool}`) : each.pool,
      number(each.used),
      number(each.limit),
      number(each.granted),
      each.refused === 0 ? "0" : el("strong", { class: "bad" }, number(each.refused)),
    ]),
    word("pools.title"),
    true,
  );
}

/** Lineage answers that were no graph, by reason; the words are those of docs/errors.md. */
function refusals(outcomes) {
  const failed = outcomes.filter((each) => each.status !== 200);
  if (failed.length === 0) {
    return el("p", { class: "note" }, word("refusals.none"));
  }
  return table(
    ["status", "reason", "count"].map((key) => word(`refusals.${key}`)),
    failed.map(({ status, reason, count }) => [
      String(status),
      el("code", {}, reason),
      number(count),
    ]),
    word("refusals.title"),
    true,
  );
}
