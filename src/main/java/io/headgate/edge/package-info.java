/**
 * Bytes in and out: the HTTP server, its routes, users, error table and connection guards.
 *
 * <p>Requests come from sockets and go down to admission; answers come back complete and are
 * committed here. Everything runs on the event loop of the connection. Start with {@link
 * io.headgate.edge.EdgeVerticle}.
 */
@NullMarked
package io.headgate.edge;

import org.jspecify.annotations.NullMarked;
