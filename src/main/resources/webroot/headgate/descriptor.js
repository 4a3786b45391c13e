// The page of one bundle descriptor: its graph as a picture and as a table. It never changes.

import { byId, fill, foreign } from "./dom.js";
import { onLanguage, word } from "./i18n.js";
import { ownSegment } from "./links.js";
import { mountNodes } from "./nodes.js";
import { mountPicture } from "./picture.js";
import { openShell, setTitle } from "./shell.js";
import { url } from "./api.js";
import { watch } from "./watch.js";

openShell();
const segment = ownSegment();
const path = `fn/bundle-descriptors/${segment}`;

function title() {
  const id = decoded();
  setTitle(`${word("descriptor.title")} ${id}`);
  fill(byId("title"), word("descriptor.title"), " ", foreign(id));
}

function decoded() {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // the gateway says what is wrong with it
  }
}

title();
onLanguage(title);

const picture = mountPicture(byId("picture"), `${path}/graph.svg`, url(`${path}/lineage`).href);
const nodes = mountNodes(byId("nodes"), byId("warnings"));
watch({
  path: `${path}/lineage`,
  seconds: 0,
  box: byId("lineage-problem"),
  show: (graph, etag) => {
    picture.show(graph, etag);
    nodes.show(graph);
  },
});
