/**
 * Timelines while the gateway runs: what comes in is brought to the store, and what is asked for is
 * brought from it.
 *
 * <p>{@code timeline} has the rules and knows no thread or clock; here they meet the store, the
 * workers and the deadlines. Start with {@link io.headgate.timeline.live.LiveTimelines}.
 */
@NullMarked
package io.headgate.timeline.live;

import org.jspecify.annotations.NullMarked;
