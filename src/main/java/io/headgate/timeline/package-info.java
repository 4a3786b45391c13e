/**
 * What happened to a schema change: the timeline of each job.
 *
 * <p>Reports come in as {@link io.headgate.timeline.TimelineChange}: an engine's events, decisions
 * of transforms and sinks, the end of a job. {@link io.headgate.timeline.Timeline#apply} puts one
 * into the timeline of its job and says what it did; the store calls it at the owner of the job, so
 * that a change is one atomic update. {@link io.headgate.timeline.TimelinePage} writes what is
 * asked for.
 *
 * <p>Everything here is a value or a function of values, in plain {@code java.*}: no threads, no
 * clock, no store but its seam, {@link io.headgate.timeline.TimelineStore}. Foreign text that may
 * not be kept never gets here; {@code timeline.ingest} drops it while it reads. Start with {@link
 * io.headgate.timeline.Timeline}, then {@link io.headgate.timeline.SchemaChangeRecord} and {@link
 * io.headgate.timeline.ArrivalLog}.
 */
@NullMarked
package io.headgate.timeline;

import org.jspecify.annotations.NullMarked;
