// A graph as a table: each node with its tables, what feeds it and what it feeds. And above it what
// is missing. The same for jobs and for bundle descriptors.

import { badge, el, fill, foreign, freshId, icon, keepFocus } from "./dom.js";
import { hasWord, onLanguage, word } from "./i18n.js";
import { table } from "./table.js";

/** Rows that are drawn at first, and with each press of "more": thousands would freeze the page. */
const ROWS = 100;

/** Paths, neighbours and warned nodes that are shown before "and n more". */
const FEW = 5;

const KINDS = { SOURCE: "source", TRANSFORM: "transform", SINK: "sink" };

/**
 * @param container an empty element for the table
 * @param above an empty element for what is missing
 */
export function mountNodes(container, above) {
  let graph = null;
  let filter = "";
  let onlyWarned = false;
  let rows = ROWS;

  const field = el("input", {
    type: "search",
    autocomplete: "off",
    oninput: (event) => {
      filter = event.target.value.toLowerCase();
      rows = ROWS;
      draw();
    },
  });
  const check = el("input", {
    type: "checkbox",
    onchange: (event) => {
      onlyWarned = event.target.checked;
      rows = ROWS;
      draw();
    },
  });
  const heading = el("h3");
  const label = el("label", { class: "filter" }, el("span"), field);
  const warnedLabel = el("label", { class: "check" }, check, el("span"));
  const count = el("p", { class: "note", role: "status" });
  const body = el("div");
  const more = el("button", {
    type: "button",
    onclick: () => {
      rows += ROWS;
      draw();
    },
  });
  onLanguage(draw);

  function draw() {
    if (graph === null) {
      return;
    }
    heading.textContent = word("nodes.title");
    label.firstChild.textContent = word("nodes.filter");
    warnedLabel.lastChild.textContent = word("nodes.warned");
    more.textContent = word("more");
    const warned = graph.warnings.length > 0;
    if (container.firstChild === null) {
      container.append(heading, el("div", { class: "filters" }, label, warnedLabel), count, body, more);
    }
    warnedLabel.hidden = !warned;
    const found = graph.nodes.filter(
      (node) => (!(onlyWarned && warned) || graph.isWarned(node)) && matches(node, filter),
    );
    count.textContent = word("nodes.count", { n: found.length, all: graph.nodes.length });
    more.hidden = found.length <= rows;
    keepFocus(container, () => fill(body, nodeTable(graph, found.slice(0, rows))));
    keepFocus(above, () => fill(above, warned ? missing(graph, reveal) : null));
  }

  /** Puts the node's row before the reader, whatever the table shows now. */
  function reveal(id) {
    filter = field.value = "";
    onlyWarned = check.checked = false;
    rows = Math.max(rows, graph.nodes.findIndex((node) => node.id === id) + 1);
    draw();
    const cell = body.querySelector(`[data-node="${CSS.escape(id)}"]`);
    cell?.scrollIntoView({ block: "center" });
    cell?.focus({ preventScroll: true });
  }

  return {
    show(given) {
      graph = indexed(given);
      draw();
    },
  };
}

/** The graph with neighbours and warnings found by id. */
function indexed({ nodes, edges, warnings, graphKind }) {
  const names = new Map(nodes.map((node) => [node.id, node.name]));
  const feeds = new Map();
  const fedBy = new Map();
  const add = (map, id, other) => map.set(id, (map.get(id) ?? new Set()).add(other));
  for (const { sourceNodeId, targetNodeId } of edges) {
    add(feeds, sourceNodeId, targetNodeId);
    add(fedBy, targetNodeId, sourceNodeId);
  }
  const warned = new Set(warnings.map((warning) => warning.nodeId));
  return {
    nodes,
    edges,
    warnings,
    ofJob: graphKind === "EXECUTION",
    isWarned: (node) => warned.has(node.id),
    nameOf: (id) => names.get(id) ?? id,
    feeds: (node) => [...(feeds.get(node.id) ?? [])],
    fedBy: (node) => [...(fedBy.get(node.id) ?? [])],
  };
}

function matches(node, filter) {
  return (
    filter === "" ||
    [node.name, node.id, node.kind, word(`kind.${node.kind}`), node.urn ?? ""]
      .concat(node.tablePaths ?? [])
      .some((text) => text.toLowerCase().includes(filter))
  );
}

function nodeTable(graph, nodes) {
  const heads = ["kind", "name", "id", graph.ofJob ? "tables" : "urn", "fedby", "feeds"];
  return table(
    heads.map((key) => word(`nodes.${key}`)),
    nodes.map((node) => [
      badge(KINDS[node.kind], KINDS[node.kind], word(`kind.${node.kind}`)),
      el("span", { "data-node": node.id, "data-key": `node ${node.id}`, tabindex: "-1" }, named(node.name)),
      foreign(node.id),
      graph.ofJob ? tables(graph, node) : foreign(node.urn),
      neighbours(graph, graph.fedBy(node)),
      neighbours(graph, graph.feeds(node)),
    ]),
  );
}

function named(name) {
  return name === "" ? el("em", {}, word("nodes.nameless")) : foreign(name);
}

function tables(graph, node) {
  if (node.datasetMetadata === "NOT_APPLICABLE") {
    return el("span", { class: "none" }, word("nodes.notapplicable"));
  }
  if (node.datasetMetadata === "UNAVAILABLE") {
    return badge("warn", "warning", word("nodes.unavailable"));
  }
  return [
    few(`t ${node.id}`, node.tablePaths.map((path) => foreign(path))),
    graph.isWarned(node) ? badge("warn", "warning", word("nodes.partial")) : null,
  ];
}

function neighbours(graph, ids) {
  return ids.length === 0
    ? el("span", { class: "none" }, "–")
    : few(`n ${ids}`, ids.map((id) => foreign(graph.nameOf(id))));
}

/** The first few of a list, and the others on demand. */
function few(key, items) {
  const list = (part) => el("ul", { class: "plain" }, part.map((item) => el("li", {}, item)));
  if (items.length <= FEW) {
    return list(items);
  }
  const rest = items.slice(FEW);
  const details = el(
    "details",
    { ontoggle: () => details.children.length === 1 && details.append(list(rest)) },
    el("summary", { "data-key": key }, word("nodes.andmore", { n: rest.length })),
  );
  return [list(items.slice(0, FEW)), details];
}

/**
 * What is missing, in one sentence for each kind of it, with the first nodes that it is about.
 *
 * @param reveal shows the row of the node with this id
 */
function missing(graph, reveal) {
  const byCode = new Map();
  for (const warning of graph.warnings) {
    const same = byCode.get(warning.code) ?? [];
    same.push(warning);
    byCode.set(warning.code, same);
  }
  return [...byCode].map(([code, warnings]) => {
    const title = freshId("warning");
    return el(
      "section",
      { class: "warning", "aria-labelledby": title },
      icon("warning"),
      el(
        "div",
        {},
        el("p", { id: title }, said(code, warnings.length)),
        few(`w ${code}`, warnings.map(({ nodeId }) => warnedNode(graph, nodeId, reveal))),
      ),
    );
  });
}

function warnedNode(graph, id, reveal) {
  const name = el(
    "button",
    { type: "button", class: "name", "data-key": `warned ${id}`, title: word("nodes.goto"), onclick: () => reveal(id) },
    named(graph.nameOf(id)),
  );
  return [name, " ", el("span", { class: "id" }, `${word("nodes.id")} `, foreign(id))];
}

/** Codes may be added under the same schema version. */
function said(code, n) {
  return hasWord(`warning.${code}`) ? word(`warning.${code}`, { n }) : `${code} (${n})`;
}
