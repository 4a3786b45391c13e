/**
 * Guards of the connection, in front of everything that knows of requests: how many there may be,
 * how long a request head may take, and what of HTTP is refused that Vert.x and Netty would let
 * pass.
 *
 * <p>The only package that reaches into Vert.x and Netty internals, because nothing public gets in
 * early enough; {@link io.headgate.edge.guard.GuardedHttpServer} says how, and is where to start.
 * All of it runs on the event loop of the connection, but for {@link
 * io.headgate.edge.guard.ConnectionGate}, which runs where connections are accepted.
 */
@NullMarked
package io.headgate.edge.guard;

import org.jspecify.annotations.NullMarked;
