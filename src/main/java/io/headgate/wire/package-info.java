/**
 * Bytes on their way in and out: JSON text read and written, a capped buffer, UTF-8 and digests.
 *
 * <p>The capabilities ({@code graph}, later the timeline and the bundle descriptors) write into a
 * {@link io.headgate.wire.CappedBuffer}; the edge sends what stands in it once it is complete.
 * Plain {@code java.*} and nothing else, so that every rule about bytes can be tested without a
 * server. Instances are confined to the worker thread that fills them. Start with {@link
 * io.headgate.wire.CappedBuffer}, then {@link io.headgate.wire.JsonText}.
 */
@NullMarked
package io.headgate.wire;

import org.jspecify.annotations.NullMarked;
