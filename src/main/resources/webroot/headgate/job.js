// The page of one job: its state, its graph as a picture and as a table, what happened to its
// schema changes.

import { byId, el, fill, foreign } from "./dom.js";
import { onLanguage, span, word } from "./i18n.js";
import { moment, stateBadge } from "./jobs.js";
import { isJobId, ownSegment } from "./links.js";
import { mountNodes } from "./nodes.js";
import { mountPicture } from "./picture.js";
import { openShell, setTitle, showBanner } from "./shell.js";
import { mountTimeline } from "./timeline.js";
import { url } from "./api.js";
import { watch } from "./watch.js";

const STATE_SECONDS = 15;

/** Each reading of a graph may make the engine describe its job anew. */
const GRAPH_SECONDS = 30;

const ENDED = new Set(["FINISHED", "FAILED", "CANCELED", "SAVEPOINT_DONE"]);

openShell();
const jobId = ownSegment();
if (isJobId(jobId)) {
  open();
} else {
  draw(() => {
    setTitle(word("job.title"));
    fill(byId("title"), word("job.title"));
    fill(byId("state"), el("p", { class: "notice", role: "alert" }, word("open.fault")));
  });
  byId("lineage").hidden = true;
}

function draw(words) {
  words();
  onLanguage(words);
}

function open() {
  let state = null;
  draw(() => {
    setTitle(`${word("job.title")} ${jobId}`);
    fill(byId("title"), word("job.title"), " ", el("code", {}, jobId));
  });
  mountState((entry) => {
    state = entry?.state ?? null;
    showBanner(entry?.source === "RECORDED");
  });
  mountLineage(() => !ENDED.has(state));
  mountTimeline(byId("timeline"), jobId);
}

/** What the list of jobs says of this one; the list is read in the background, by the gateway. */
function mountState(told) {
  const box = el("div");
  const body = el("div");
  byId("state").append(box, body);
  const above = BigInt(jobId) + 1n;
  const from = isJobId(String(above)) ? `&after=${above}` : "";
  watch({
    path: `jobs?limit=1${from}`,
    seconds: STATE_SECONDS,
    box,
    show: ({ jobs, ageMillis, complete }) => {
      const entry = jobs[0]?.jobId === jobId ? jobs[0] : null;
      told(entry);
      fill(body, entry === null ? unlisted(complete) : facts(entry), age(ageMillis));
    },
  });
}

function unlisted(complete) {
  return el("p", {}, word(complete ? "job.unlisted" : "job.maybeunlisted"));
}

function age(millis) {
  return el("p", { class: "note" }, word("job.age", { age: span(millis) }));
}

function facts(entry) {
  const fact = (key, value) => el("div", {}, el("dt", {}, word(key)), el("dd", {}, value));
  return el(
    "dl",
    { class: "facts" },
    fact("jobs.state", stateBadge(entry.state)),
    entry.name === null ? null : fact("jobs.name", foreign(entry.name)),
    fact("jobs.created", moment(entry.createTime)),
    fact("jobs.ended", moment(entry.finishTime)),
    fact("jobs.source", word(`source.${entry.source}`)),
  );
}

/** @param changes whether the graph may still change */
function mountLineage(changes) {
  const path = `job-lineage/${jobId}`;
  const picture = mountPicture(byId("picture"), `${path}/graph.svg`, url(path).href);
  const nodes = mountNodes(byId("nodes"), byId("warnings"));
  watch({
    path,
    seconds: GRAPH_SECONDS,
    box: byId("lineage-problem"),
    show: (graph, etag) => {
      picture.show(graph, etag);
      nodes.show(graph);
    },
    again: changes,
  });
}
