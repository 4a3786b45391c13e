/**
 * What a gateway remembers from one answer to the next: which execution of a job was served last,
 * and under which numbering.
 *
 * <p>{@link io.headgate.state.ExecutionFence} is the interface that the lineage goes through;
 * {@link io.headgate.state.InProcessFence} keeps it in this process, bounded. Called on worker
 * threads.
 */
@NullMarked
package io.headgate.state;

import org.jspecify.annotations.NullMarked;
