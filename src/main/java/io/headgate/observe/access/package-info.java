/**
 * A line for each request. Event loops put what they know of a request that is over into a bounded
 * ring, and that is all they do: a thread of its own comes by some times a second, writes lines and
 * hands them to a file, to standard output or to a logger. Where they take none, the ring fills up
 * and requests are left out and counted; nobody waits. Start with {@link
 * io.headgate.observe.access.RequestLog}.
 */
@NullMarked
package io.headgate.observe.access;

import org.jspecify.annotations.NullMarked;
