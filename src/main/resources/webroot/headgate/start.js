// The start page: open a job by its id, see which there are, see how this gateway is.

import { byId } from "./dom.js";
import { onLanguage, word } from "./i18n.js";
import { mountFn } from "./fn.js";
import { mountGateway } from "./gateway.js";
import { mountJobs } from "./jobs.js";
import { isJobId, jobLink } from "./links.js";
import { openShell, setTitle, showBanner } from "./shell.js";

openShell();
const title = () => setTitle(word("start.title"));
title();
onLanguage(title);

byId("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = byId("job-id");
  const id = field.value.trim();
  const valid = isJobId(id);
  byId("open-fault").textContent = valid ? "" : word("open.fault");
  field.setAttribute("aria-invalid", String(!valid));
  if (valid) {
    location.href = jobLink(id);
  } else {
    field.focus();
  }
});

mountJobs(byId("running"), { running: true });
mountJobs(byId("others"), { running: false });
let withFn = false;
mountGateway(byId("gateway"), (state) => {
  showBanner(state.health.demo);
  if (state.shows.fn && !withFn) {
    withFn = true;
    mountFn(byId("fn"));
  }
});
