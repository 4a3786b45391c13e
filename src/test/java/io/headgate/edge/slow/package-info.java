/** Clients that send or read slowly, over real sockets; start with {@code SlowHeadTest}. */
package io.headgate.edge.slow;
