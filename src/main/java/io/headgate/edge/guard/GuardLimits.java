package io.headgate.edge.guard;

import java.time.Duration;

/**
 * What a connection may cost.
 *
 * @param headerDeadline time from the first byte of a request head to its end; for the first head
 *     from the opening of the connection
 * @param idle silence after which a connection with nothing to send is closed
 * @param stall time without progress after which a connection with something to send is closed
 * @param headers most header and trailer lines of a request
 */
public record GuardLimits(Duration headerDeadline, Duration idle, Duration stall, int headers) {}
