/**
 * A SeaTunnel Zeta cluster as a source of job graphs, read through its REST job-info call.
 *
 * <p>Chunks of a body come in on the source's own event loop and go through a {@link
 * io.headgate.upstream.zeta.JobInfoSlicer}, which keeps the few wanted members and lets the rest
 * pass; a worker then turns the kept part into a checked graph ({@link
 * io.headgate.upstream.zeta.JobInfoParser}). {@link io.headgate.upstream.zeta.ZetaJobSource}
 * decides which member to ask, when to try the next and when to give up. Start there.
 *
 * <p>{@link io.headgate.upstream.zeta.ZetaJobLists} reads which jobs there are, in the background
 * and apart from lookups.
 */
@NullMarked
package io.headgate.upstream.zeta;

import org.jspecify.annotations.NullMarked;
