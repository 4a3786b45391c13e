package io.headgate.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU milliseconds of the whole JVM for one operation, collector and compiler included. On a
 * machine that others use too, wall time says little; CPU time still says what a thing costs.
 */
public final class CpuProfiler implements InternalProfiler {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long before;

  @Override
  public String getDescription() {
    return "process CPU time of one operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = system.getProcessCpuTime();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double millis = (system.getProcessCpuTime() - before) / 1e6;
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(new ScalarResult("cpu", millis / operations, "ms/op", AggregationPolicy.AVG));
  }
}
