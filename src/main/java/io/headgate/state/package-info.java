/**
 * What is remembered from one answer to the next, by one gateway or by a cluster of them: which
 * execution of a job was served last and under which numbering, and what services have published.
 *
 * <p>{@link io.headgate.state.Cluster} is the embedded Hazelcast member, and this is the only
 * package that knows Hazelcast. {@link io.headgate.state.ClusterFence} and {@link
 * io.headgate.state.ClusterDirectory} keep their entries in its maps: bytes that the pure classes
 * {@link io.headgate.state.ServedJob} and {@link io.headgate.directory.JobRecord} write, read and
 * change, by entry processors that run where an entry is owned. {@link
 * io.headgate.state.InProcessFence} needs no cluster. {@link io.headgate.state.BundleStateStore}
 * and {@link io.headgate.state.DescriptorStore} are where the Fn API keeps its things.
 *
 * <p>Called on any thread, never blocks; answers come on executors that are given. Hazelcast's own
 * threads run the entry processors and tell of members that come and go.
 */
@NullMarked
package io.headgate.state;

import org.jspecify.annotations.NullMarked;
