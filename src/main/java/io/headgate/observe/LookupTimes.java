package io.headgate.observe;

/**
 * When the parts of a lookup were done, on the clock of {@link System#nanoTime()}. A lookup may be
 * older than the request that gets its answer. Immutable.
 *
 * @param begunAt when its source was asked
 * @param foundAt when the source had said all it had to say
 * @param doneAt when the bytes of the answer were there
 */
public record LookupTimes(long begunAt, long foundAt, long doneAt) {}
