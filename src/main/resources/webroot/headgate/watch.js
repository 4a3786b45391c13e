// Keeps one JSON resource of the gateway in view.

import { onLanguage } from "./i18n.js";
import { read } from "./api.js";
import { repeat } from "./repeat.js";

/**
 * Reads it now, and again from time to time, with the tag of what is there already.
 *
 * @param path what to read, below the base path
 * @param seconds from one reading to the next; 0 for one reading only
 * @param box an element of its own for what is wrong
 * @param show takes what was read and its tag; called again with the same after a change of the
 *     language, and not if nothing has changed
 * @param again whether to go on reading; always, if left out
 * @return {now}, which reads at once
 */
export function watch({ path, seconds, box, show, again }) {
  let body = null;
  let etag = null;
  onLanguage(() => body !== null && show(body, etag));
  return repeat({
    seconds,
    box,
    again,
    work: async () => {
      const answer = await read(path, etag);
      if (answer.body !== null) {
        ({ body, etag } = answer);
        show(body, etag);
      }
    },
  });
}
