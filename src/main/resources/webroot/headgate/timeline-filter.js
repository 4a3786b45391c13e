// Which records are asked for. The choice stands in the page's own address, so that a link or a
// reload shows the same.

import { el, fill } from "./dom.js";
import { word } from "./i18n.js";

/** Outcomes that the gateway can be asked for. */
const OUTCOMES = ["APPLIED", "PARTIALLY_APPLIED", "FAILED", "IGNORED", "FILTERED"];

/** Names that are offered while one is typed. */
const OFFERED = 200;

/** {table, outcome}, each null for all. */
export function filterOfAddress() {
  const given = new URL(location.href).searchParams;
  const outcome = given.get("outcome");
  return {
    table: given.get("table") || null,
    outcome: OUTCOMES.includes(outcome) ? outcome : null,
  };
}

/** Puts the filter into the address, and no further step into the history of the tab. */
export function addressFilter(filter) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(filter)) {
    if (value === null) {
      address.searchParams.delete(name);
    } else {
      address.searchParams.set(name, value);
    }
  }
  history.replaceState(history.state, "", address);
}

/** The filter as parameters of the timeline's route. */
export function parametersOf(filter) {
  const given = Object.entries(filter).filter(([, value]) => value !== null);
  return new URLSearchParams(given).toString();
}

export function isAll({ table, outcome }) {
  return table === null && outcome === null;
}

/**
 * Two fields and what goes with them.
 *
 * @param chosen called with each filter that somebody chooses
 * @return {element, draw(filter), offer(tables)}; draw is for the start and after a change of the
 *     filter or the language, and not else, since somebody may be about to choose
 */
export function filterForm(chosen) {
  const known = new Set();
  const field = el("input", {
    type: "search",
    id: "timeline-table",
    list: "timeline-tables",
    autocomplete: "off",
    spellcheck: "false",
    onchange: choose,
    oninput: (event) => {
      // Emptied, or picked from the list: there is no other sign of that before the field is left.
      if (field.value === "" || event.inputType === "insertReplacementText") {
        choose();
      }
    },
  });
  const choice = el("select", { id: "timeline-outcome", onchange: choose });
  const tableLabel = el("span");
  const outcomeLabel = el("span");
  const offered = el("datalist", { id: "timeline-tables" });
  const apply = el("button", { type: "submit" });
  const all = el("button", { type: "button", onclick: showAll });
  const element = el(
    "form",
    {
      class: "filters",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        choose();
      },
    },
    el("label", { class: "filter" }, outcomeLabel, choice),
    el("label", { class: "filter" }, tableLabel, field),
    offered,
    apply,
    all,
  );

  /** A name is compared exactly, so spaces that came along with a copy would find nothing. */
  function choose() {
    const table = known.has(field.value) ? field.value : field.value.trim();
    chosen({ table: table || null, outcome: choice.value || null });
  }

  function showAll() {
    choice.focus(); // this button goes away
    chosen({ table: null, outcome: null });
  }

  return {
    element,
    draw(filter) {
      element.setAttribute("aria-label", word("timeline.filter"));
      outcomeLabel.textContent = word("timeline.outcome");
      tableLabel.textContent = word("timeline.table");
      apply.textContent = word("timeline.apply");
      all.textContent = word("timeline.all");
      all.hidden = isAll(filter);
      field.value = filter.table ?? "";
      fill(
        choice,
        option("", word("timeline.any"), filter.outcome === null),
        OUTCOMES.map((each) => option(each, word(`outcome.${each}`), each === filter.outcome)),
      );
    },
    offer(tables) {
      const before = known.size;
      for (const table of tables) {
        if (known.size < OFFERED) {
          known.add(table);
        }
      }
      if (known.size > before) {
        fill(offered, [...known].sort().map((table) => el("option", { value: table })));
      }
    },
  };
}

function option(value, text, selected) {
  return el("option", { value, selected }, text);
}
