// Tables of a few columns, which become one block a row where the screen is narrow. Browsers take
// what is no table in their layout for none at all, so what everything is stands beside it.

import { el } from "./dom.js";

/**
 * @param heads the words over the columns; each also stands beside its cell on a narrow screen
 * @param rows arrays of contents, one for each head
 * @param caption what the table is, if no heading says so
 * @param slim whether its columns are so short that it may stay a table on a narrow screen
 */
export function table(heads, rows, caption = null, slim = false) {
  const row = (contents) => el("tr", { role: "row" }, contents);
  return el(
    "table",
    { class: slim ? "rows" : "rows wide", role: "table" },
    caption === null ? null : el("caption", {}, caption),
    el(
      "thead",
      { role: "rowgroup" },
      row(heads.map((head) => el("th", { scope: "col", role: "columnheader" }, head))),
    ),
    el(
      "tbody",
      { role: "rowgroup" },
      rows.map((contents) =>
        row(contents.map((each, at) => el("td", { role: "cell", "data-head": heads[at] }, each))),
      ),
    ),
  );
}
