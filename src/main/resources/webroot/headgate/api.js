// What the page asks the gateway. Everything is beside ui/, wherever that stands.

/** The URL of the gateway's own base path, with a slash at its end. */
export const BASE = new URL("../", import.meta.url);

/** A stopping or frozen gateway must not hang the page; lineage has five seconds by default. */
const PATIENCE_MILLIS = 30_000;

/** Why there is no answer. */
export class Problem extends Error {
  /**
   * @param code of the gateway's error table, or NETWORK or UNREADABLE
   * @param status of HTTP, or 0
   * @param retryAfter seconds that the gateway asks for, or null
   */
  constructor(code, status, retryAfter = null) {
    super(code);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether it may pass by itself. */
  get passing() {
    return this.code === "NETWORK" || this.status === 503 || this.status === 408;
  }
}

/** The URL of a path below the base path; ids in it are to be escaped by whoever builds it. */
export function url(path) {
  return new URL(path, BASE);
}

/**
 * Reads one JSON resource.
 *
 * @param etag of what the page has, or null
 * @return {body, etag}; body is null if what the page has is still right
 * @throws Problem
 */
export async function read(path, etag = null) {
  const response = await ask(path, etag === null ? {} : { "If-None-Match": etag });
  if (response.status === 304) {
    return { body: null, etag };
  }
  if (!response.ok) {
    throw await problem(response);
  }
  try {
    return { body: await response.json(), etag: response.headers.get("ETag") };
  } catch (e) {
    throw new Problem(e instanceof SyntaxError ? "UNREADABLE" : "NETWORK", 0);
  }
}

/** Why this path gives no answer, or null if it does; for what is no JSON, such as pictures. */
export async function whyNot(path) {
  const response = await ask(path, {});
  if (!response.ok) {
    return problem(response);
  }
  await response.body?.cancel();
  return null;
}

async function ask(path, headers) {
  try {
    return await fetch(url(path), {
      headers,
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    });
  } catch {
    throw new Problem("NETWORK", 0);
  }
}

async function problem(response) {
  const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  let code = "";
  try {
    code = String((await response.json()).code);
  } catch {
    // Somebody else answered, such as a proxy. The status will do.
  }
  return new Problem(code, response.status, Number.isNaN(seconds) ? null : seconds);
}
