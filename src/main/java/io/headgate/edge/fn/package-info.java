/**
 * The Fn API's own port: gRPC on Vert.x behind the same connection guards as HTTP. One event loop
 * serves it all, because a harness's streams come on several connections and meet in one place.
 * Calls go up to {@code io.headgate.fn.v1} as bytes of messages. Start with {@link
 * io.headgate.edge.fn.FnVerticle}.
 */
@NullMarked
package io.headgate.edge.fn;

import org.jspecify.annotations.NullMarked;
