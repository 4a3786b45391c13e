/**
 * Three gateways in three processes, and what happens when one of them is killed, frozen, cut off
 * or restarted, or when all three serve the same job.
 *
 * <p>{@link io.headgate.cluster.SharedCluster} gives nearly every class the same three, whole at
 * the beginning of each test; {@link io.headgate.cluster.Workload} is what they serve meanwhile,
 * and knows what they may answer. Those of {@link io.headgate.cluster.FnLossTest} are two of its
 * own.
 */
@NullMarked
package io.headgate.cluster;

import org.jspecify.annotations.NullMarked;
