/**
 * The lineage of one job, from its id to the bytes of the answer: asks the source, lets the fence
 * decide, projects the graph.
 *
 * <p>Knows nothing of HTTP, permits or event loops; {@link io.headgate.lineage.LineageService} says
 * which part runs where.
 */
@NullMarked
package io.headgate.lineage;

import org.jspecify.annotations.NullMarked;
