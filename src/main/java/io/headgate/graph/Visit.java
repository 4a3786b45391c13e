package io.headgate.graph;

/**
 * One call that a source made of others to answer a lookup: whom, for how long, and what came of
 * it. For traces; nothing is decided by it. Immutable.
 *
 * @param member which of the source's members was asked, from 0
 * @param outcome a word from a closed set; {@code answered} if there was a body
 * @param begunAt the {@link System#nanoTime()} at its beginning
 * @param endedAt the {@link System#nanoTime()} at its end, or when the lookup went on without it
 */
public record Visit(int member, String outcome, long begunAt, long endedAt) {}
