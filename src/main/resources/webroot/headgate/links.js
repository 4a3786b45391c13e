// Where things are: pages beside each other under ui/, resources under the base path.

import { url } from "./api.js";

/** Whether this is a job id as the gateway takes it: a positive 64-bit number, in plain digits. */
export function isJobId(text) {
  return /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= 9223372036854775807n;
}

/** The page of a job. */
export function jobLink(jobId) {
  return url(`ui/jobs/${jobId}`).href;
}

/** The page of a bundle descriptor. */
export function descriptorLink(id) {
  return url(`ui/fn/descriptors/${encodeURIComponent(id)}`).href;
}

/** The last segment of this page's own path, as it stands there: undecoded. */
export function ownSegment() {
  return location.pathname.slice(location.pathname.lastIndexOf("/") + 1);
}
