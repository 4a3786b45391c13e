// The Fn API's part of the start page: which harnesses this gateway has, which descriptors are kept.

import { badge, el, fill, foreign, keepFocus } from "./dom.js";
import { number, word } from "./i18n.js";
import { descriptorLink } from "./links.js";
import { table } from "./table.js";
import { watch } from "./watch.js";

const SECONDS = 15;
const DESCRIPTORS = 200;
const STREAMS = ["control", "data", "state", "logging"];

/**
 * @param section with its heading inside; shown from now on
 */
export function mountFn(section) {
  section.hidden = false;
  const harnesses = part(section);
  const descriptors = part(section);
  watch({
    path: "fn/harnesses",
    seconds: SECONDS,
    box: harnesses.box,
    show: (answer) => fill(harnesses.body, harnessTable(answer.harnesses)),
  });
  watch({
    path: `fn/bundle-descriptors?limit=${DESCRIPTORS}`,
    seconds: SECONDS,
    box: descriptors.box,
    show: (answer) => keepFocus(section, () => fill(descriptors.body, descriptorList(answer))),
  });
}

function part(section) {
  const made = { box: el("div"), body: el("div") };
  section.append(made.box, made.body);
  return made;
}

function harnessTable(harnesses) {
  if (harnesses.length === 0) {
    return el("p", {}, word("fn.noharness"));
  }
  return table(
    ["harness", "streams", "bundles", "outstanding", "log"].map((key) => word(`fn.${key}`)),
    harnesses.map((each) => [
      each.id === "" ? el("em", {}, word("fn.nameless")) : foreign(each.id),
      streams(each),
      number(each.bundles),
      number(each.outstanding),
      word("fn.bytes", { n: each.logBytes }),
    ]),
    word("fn.harnesses"),
  );
}

function streams(harness) {
  const open = STREAMS.filter((name) => harness[name]);
  return open.length === 0
    ? badge("quiet", "skipped", word("fn.gone"))
    : badge("good", "good", open.join(", "));
}

function descriptorList({ descriptorIds: ids, next }) {
  if (ids.length === 0) {
    return el("p", {}, word("fn.nodescriptor"));
  }
  return [
    el("h3", {}, word("fn.descriptors")),
    el(
      "ul",
      { class: "ids" },
      ids.map((id) =>
        el("li", {}, el("a", { href: descriptorLink(id), "data-key": `d ${id}` }, foreign(id))),
      ),
    ),
    next === null ? null : el("p", { class: "note" }, word("fn.moredescriptors", { n: DESCRIPTORS })),
  ];
}
