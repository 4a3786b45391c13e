/**
 * What the gateway costs: JMH benchmarks of the core and load comparisons of the edge. Start with
 * {@link io.headgate.bench.Benchmarks}, which runs both and says which target of the evidence list
 * each figure stands against. Not part of the tests.
 */
@NullMarked
package io.headgate.bench;

import org.jspecify.annotations.NullMarked;
