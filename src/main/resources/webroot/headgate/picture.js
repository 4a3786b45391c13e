// The picture of a graph, drawn by the gateway and shown as an image: nothing inside it can run.
// It is moved by scrolling, so that mouse wheels, fingers and arrow keys do what they always do.

import { el, fill, freshId } from "./dom.js";
import { number, onLanguage, word } from "./i18n.js";
import { Problem, url, whyNot } from "./api.js";
import { repeat } from "./repeat.js";

const STEP = 1.25;
const SMALLEST = 0.05;
const LARGEST = 8;

/** A picture that would be smaller than this to fit begins larger, since nobody could read it. */
const LEGIBLE = 0.6;

/** On a telephone it begins as a whole rather, to be enlarged with two fingers or the buttons. */
const TELEPHONE_PIXELS = 480;
const RECOGNIZABLE = 0.25;

/**
 * @param container an empty element
 * @param path of the picture, below the base path
 * @param json where the same graph is as JSON
 */
export function mountPicture(container, path, json) {
  let graph = null;
  let version = null;
  let tries = 0;
  let loader = null;

  const image = el("img", { draggable: "false" });
  const hint = el("p", { class: "note", id: freshId("hint") });
  const view = el("div", {
    class: "picture-view",
    tabindex: "0",
    role: "group",
    "aria-describedby": hint.id,
  });
  view.append(image);
  const zoom = zoomable(view, image);
  const bar = el("div", { class: "picture-bar", role: "group" });
  const waiting = el("p", { class: "note", role: "status" });
  const box = el("div");
  const frame = el("div", { class: "picture", hidden: true }, bar, view, hint);
  onLanguage(draw);

  function draw() {
    if (graph === null) {
      return;
    }
    const counts = { nodes: graph.nodes.length, edges: graph.edges.length };
    image.alt = word("picture.alt", counts);
    view.setAttribute("aria-label", word("picture.view"));
    bar.setAttribute("aria-label", word("picture.bar"));
    waiting.textContent = word("picture.waiting", counts);
    hint.textContent = word("picture.hint");
    fill(
      bar,
      button("in", "+", zoom.larger),
      button("out", "−", zoom.smaller),
      button("full", "1:1", zoom.full),
      button("fit", word("picture.fitsign"), zoom.fit),
      el("a", { href: url(path).href }, word("picture.alone")),
      el("a", { href: json }, word("picture.json")),
    );
  }

  async function load() {
    tries += 1;
    const source = `${url(path).href}?v=${encodeURIComponent(version)}&n=${tries}`;
    waiting.hidden = !frame.hidden; // the old one stays until the new one is there
    const loaded = await new Promise((resolve) => {
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = source;
    });
    waiting.hidden = true;
    frame.hidden = !loaded;
    if (!loaded) {
      // An image does not tell why it failed, so the same is asked for once more, as a resource.
      throw (await whyNot(path)) ?? new Problem("PICTURE", 0);
    }
    zoom.refit();
  }

  return {
    /**
     * @param etag of the graph; with the same one the picture stays, with another it is new
     */
    show(shown, etag) {
      graph = shown;
      draw();
      if (etag === version) {
        return;
      }
      version = etag;
      if (loader === null) {
        container.append(waiting, box, frame);
        loader = repeat({ work: load, seconds: 0, box });
      } else {
        loader.now();
      }
    },
  };
}

function button(name, sign, action) {
  const label = word(`picture.${name}`);
  return el("button", { type: "button", "aria-label": label, title: label, onclick: action }, sign);
}

/** Lets the view's picture be zoomed and moved, by keys, wheel and mouse. */
function zoomable(view, image) {
  // The least scale when it fits itself into its view; null once somebody has zoomed.
  let least = () => (innerWidth > TELEPHONE_PIXELS ? LEGIBLE : RECOGNIZABLE);

  function refit() {
    if (least !== null && image.naturalWidth > 0) {
      apply(Math.max(least(), Math.min(1, view.clientWidth / image.naturalWidth)));
    }
  }

  function fit() {
    least = () => 0;
    refit();
  }

  function scale() {
    return image.naturalWidth > 0 ? image.clientWidth / image.naturalWidth : 1;
  }

  function apply(factor) {
    image.style.width = `${Math.round(image.naturalWidth * factor)}px`;
  }

  /** Zooms, and keeps what is at x and y of the view where it is. */
  function zoomTo(factor, x = view.clientWidth / 2, y = view.clientHeight / 2) {
    const before = scale();
    least = null;
    apply(Math.min(LARGEST, Math.max(SMALLEST, factor)));
    const ratio = scale() / before;
    view.scrollLeft = (view.scrollLeft + x) * ratio - x;
    view.scrollTop = (view.scrollTop + y) * ratio - y;
  }

  const larger = () => zoomTo(scale() * STEP);
  const smaller = () => zoomTo(scale() / STEP);
  const full = () => zoomTo(1);
  const keys = { "+": larger, "=": larger, "-": smaller, 0: fit, 1: full };

  view.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (action !== undefined && !(event.ctrlKey || event.metaKey || event.altKey)) {
      event.preventDefault();
      action();
    }
  });
  view.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey) {
        event.preventDefault();
        const box = view.getBoundingClientRect();
        const factor = event.deltaY < 0 ? STEP : 1 / STEP;
        zoomTo(scale() * factor, event.clientX - box.left, event.clientY - box.top);
      }
    },
    { passive: false },
  );
  view.addEventListener("pointerdown", (event) => grab(view, event));
  new ResizeObserver(refit).observe(view);
  return { larger, smaller, full, fit, refit };
}

/** Moves the picture with the mouse; fingers scroll by themselves. */
function grab(view, event) {
  if (event.pointerType !== "mouse" || event.button !== 0) {
    return;
  }
  const from = { x: event.clientX + view.scrollLeft, y: event.clientY + view.scrollTop };
  const move = (at) => {
    view.scrollLeft = from.x - at.clientX;
    view.scrollTop = from.y - at.clientY;
  };
  const drop = () => {
    view.removeEventListener("pointermove", move);
    view.classList.remove("grabbed");
  };
  view.setPointerCapture(event.pointerId);
  view.classList.add("grabbed");
  view.addEventListener("pointermove", move);
  view.addEventListener("pointerup", drop, { once: true });
  view.addEventListener("pointercancel", drop, { once: true });
}
