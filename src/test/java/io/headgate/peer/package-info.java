/**
 * Real peers for tests: a SeaTunnel Zeta engine of one or more members, each a process of its own,
 * a MariaDB whose changes such an engine can follow, and three harnesses of the Fn API: one on
 * stubs that Beam published, one on Node.js, and Beam's own.
 *
 * <p>The engine carries its own changed {@code com.hazelcast}, so it never shares a class path with
 * the tests; the build writes the paths of its jars to {@code target/seatunnel.classpath}. Nor do
 * those stubs and that harness, whose jars are in {@code target/beam-stubs} and {@code
 * target/beam-harness}. Tests start with {@link io.headgate.peer.ZetaCluster}, hurt its {@link
 * io.headgate.peer.ZetaEngine members} by signal and talk to them through {@link
 * io.headgate.peer.ZetaJobs}. The build does not bring MariaDB and Node.js: the system has to have
 * them installed. Everything is bound to 127.0.0.1 and belongs to the test's own thread. Needs a
 * POSIX system.
 */
@NullMarked
package io.headgate.peer;

import org.jspecify.annotations.NullMarked;
