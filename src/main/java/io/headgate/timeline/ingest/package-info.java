/**
 * Reports on schema changes as they come over HTTP, read into what the timeline takes.
 *
 * <p>A body is checked as text first. Then {@link io.headgate.timeline.ingest.EngineReport} and
 * {@link io.headgate.timeline.ingest.DecisionReport} go through it value by value and make objects
 * of what may be kept and of nothing else: statements, rows, default values and comments are passed
 * over as bytes (T11). Both run on whatever thread calls them; a large body takes some
 * milliseconds, so not on an event loop.
 */
@NullMarked
package io.headgate.timeline.ingest;

import org.jspecify.annotations.NullMarked;
