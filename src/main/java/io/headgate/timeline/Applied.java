package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/**
 * A timeline after a change.
 *
 * @param timeline the same instance as before if nothing has changed; null if there is still none
 * @param receipt what was done
 */
public record Applied(@Nullable Timeline timeline, Receipt receipt) {}
