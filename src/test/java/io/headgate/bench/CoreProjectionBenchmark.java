package io.headgate.bench;

import io.headgate.graph.GraphLimits;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.ReportedGraph;
import io.headgate.wire.CappedBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * P3s: count, check, order and write the largest graph that is accepted, from strings to bytes.
 *
 * <pre>{@code mvn -Pbench test-compile exec:exec -Dbench.include=CoreProjection}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CoreProjectionBenchmark {
  private ReportedGraph report;

  @Setup
  public void report() {
    report = LimitGraph.report();
  }

  @Benchmark
  public CappedBuffer project() {
    JobGraphBuilder builder = new JobGraphBuilder(report.jobId(), GraphLimits.DEFAULT);
    report.feed(builder);
    JobGraphBuilder.Built.Checked built = (JobGraphBuilder.Built.Checked) builder.build();
    return GraphWriter.write(built.graph(), GraphLimits.DEFAULT.responseBytes());
  }
}
