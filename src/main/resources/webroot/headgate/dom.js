// Elements, built by hand. Text only ever becomes a text node: nothing in these modules writes
// markup, so a table named "<img onerror=...>" is shown as its name.

/**
 * @param tag name of the element
 * @param attributes "class", "on…" with a function, true for a bare attribute; null and false are
 *     left out, everything else is set as it is
 * @param children nodes and strings; null is left out, arrays are taken apart
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value); // a string would throw, as it should
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...nodes(children));
  return element;
}

/** Puts these children in place of all that there are. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined);
}

/** The element with this id; the pages have them all, so there is no null. */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`no element ${id}`);
  }
  return element;
}

// Control characters, marks of direction, and spaces without width: a name could use them to look
// like another one. Joiners are left alone, since scripts and emoji need them.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Behind and before these a long name may be broken, rather than in the middle of a word. */
const BEHIND = new Set("._/:");
const BEFORE = new Set("[(");

/**
 * Text from elsewhere, such as the name of a table: isolated, so that its direction does not spill
 * over, and with characters that can't be seen spelled out.
 */
export function foreign(text) {
  const parts = [];
  let plain = "";
  for (const character of text) {
    if (HIDDEN.test(character)) {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      parts.push(plain, el("span", { class: "hidden-character" }, `\\u${code}`));
      plain = "";
    } else {
      if (BEFORE.has(character)) {
        parts.push(plain, el("wbr"));
        plain = "";
      }
      plain += character;
      if (BEHIND.has(character)) {
        parts.push(plain, el("wbr"));
        plain = "";
      }
    }
  }
  return el("bdi", { class: "foreign" }, parts, plain);
}

/**
 * Draws anew, and then gives the focus to the element with the same data-key as the one that had
 * it: what refreshes by itself must not throw a keyboard's user out.
 */
export function keepFocus(container, draw) {
  const focused = document.activeElement;
  const key = container.contains(focused) ? focused.dataset.key : undefined;
  draw();
  if (key !== undefined) {
    container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }
}

const SHAPES = {
  source: "M3 3h7l4 5-4 5H3z",
  transform: "M3 3h10v10H3z",
  sink: "M8 2a6 6 0 1 0 .01 0z",
  warning: "M8 1.5 15 14H1zM7.2 6h1.6v4H7.2zm0 5h1.6v1.6H7.2z",
  good: "M6.3 12.6 1.9 8.2l1.5-1.5 2.9 2.9 6.3-6.3 1.5 1.5z",
  bad: "m3.4 2 4.6 4.6L12.6 2 14 3.4 9.4 8l4.6 4.6-1.4 1.4L8 9.4 3.4 14 2 12.6 6.6 8 2 3.4z",
  running: "M4 2.5 13 8l-9 5.5z",
  waiting: "M8 1a7 7 0 1 0 .01 0zM7.2 4h1.6v3.7l2.6 2.6-1.1 1.1-3.1-3.1z",
  partly: "M8 1a7 7 0 1 0 .01 0zM8 3v10a5 5 0 0 1 0-10z",
  skipped: "M2 3.5 7.5 8 2 12.5zM8.5 3.5 14 8l-5.5 4.5z",
  funnel: "M1.5 2.5h13l-5 6v6l-3-1.6V8.5z",
  barred:
    "M8 1a7 7 0 1 0 .01 0zM3.8 4.93l7.27 7.27A5.2 5.2 0 0 1 3.8 4.93zM12.2 11.07 4.93 3.8A5.2 5.2 0 0 1 12.2 11.07z",
  unknown:
    "M7.2 11h1.7v1.8H7.2zM5 5.6C5 3.9 6.3 3 8.1 3s3 1 3 2.6c0 2-2.2 2.1-2.2 3.9H7.2c0-2.5 2.1-2.7 2.1-3.9 0-.7-.5-1.1-1.3-1.1s-1.3.4-1.3 1.1z",
};

/** A small picture that says the same as the word beside it, so it is hidden from readers. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** A word with an icon and a colour of its own. */
export function badge(kind, symbol, word) {
  return el("span", { class: `badge badge-${kind}` }, icon(symbol), word);
}

let ids = 0;

/** An id that no other element has. */
export function freshId(stem) {
  ids += 1;
  return `${stem}-${ids}`;
}
