/**
 * What the gateway says about itself: meters and health. Any package may use it; it uses none of
 * ours. Meters read plain counters when they are scraped, so that counting costs an addition. Start
 * with {@link io.headgate.observe.Meters}.
 */
@NullMarked
package io.headgate.observe;

import org.jspecify.annotations.NullMarked;
