/**
 * The job graph: checked, immutable, in one fixed order, and the seam through which sources give
 * it.
 *
 * <p>A source feeds what it reads into a {@link io.headgate.graph.JobGraphBuilder}, which counts,
 * checks and orders; the outcome is a {@link io.headgate.graph.JobGraph} or the reason why there is
 * none. {@link io.headgate.graph.GraphWriter} turns a graph into the bytes of the response. All of
 * it is plain {@code java.*}: nothing here blocks, and a graph may be read on any thread. Start
 * with {@link io.headgate.graph.JobGraphSource} and {@link io.headgate.graph.JobGraph}.
 */
@NullMarked
package io.headgate.graph;

import org.jspecify.annotations.NullMarked;
