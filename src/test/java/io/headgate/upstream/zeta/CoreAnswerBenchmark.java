package io.headgate.upstream.zeta;

import io.headgate.bench.LimitGraph;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.JobGraph;
import io.headgate.graph.Lookup;
import io.headgate.graph.NameForm;
import io.headgate.graph.ReportedGraph;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
 * P3t: a whole fresh answer at the limit, from the engine's bytes to ours: slice, parse, name form,
 * order, write, entity tag. The graph is reported in shape A, with 1 MB of metrics behind it, and
 * comes in pieces of 64 KiB. The other methods stop earlier, to show what each part costs.
 *
 * <pre>{@code mvn -Pbench test-compile exec:exec -Dbench.include=CoreAnswer}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CoreAnswerBenchmark {
  private static final int PIECE = 64 * 1024;
  private static final int METRICS_BYTES = 1_000_000;

  private final JobInfoParser parser = new JobInfoParser(GraphLimits.DEFAULT);
  private final List<byte[]> pieces = new ArrayList<>();
  private long jobId;

  @Setup
  public void spell() {
    ReportedGraph report = LimitGraph.report();
    jobId = report.jobId();
    StringBuilder json = new StringBuilder(Shapes.plain().active(jobId, Shapes.plain().a(report)));
    json.setLength(json.length() - 1);
    json.append(",\"more\":{");
    int end = json.length() + METRICS_BYTES;
    for (int i = 0; json.length() < end; i++) {
      json.append(i == 0 ? "" : ",")
          .append("\"TableSinkWriteBytesPerSeconds#shop.public.table_")
          .append(i)
          .append("\":\"253.00723079816305\"");
    }
    byte[] body = json.append("}}").toString().getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < body.length; at += PIECE) {
      pieces.add(Arrays.copyOfRange(body, at, Math.min(body.length, at + PIECE)));
    }
    System.out.printf("%nbody: %,d bytes, answer: %,d bytes%n", body.length, write().length());
  }

  @Benchmark
  public JobInfoSlicer slice() {
    JobInfoSlicer slicer = new JobInfoSlicer(Reading.MAX_BYTES);
    pieces.forEach(slicer::feed);
    return slicer;
  }

  @Benchmark
  public JobGraph parse() {
    return ((Lookup.Found) parser.parse(slice(), jobId)).graph();
  }

  @Benchmark
  public CappedBuffer write() {
    return GraphWriter.write(parse(), GraphLimits.DEFAULT.responseBytes());
  }

  @Benchmark
  public String answer() {
    JobGraph graph = parse();
    NameForm form = NameForm.of(graph);
    CappedBuffer body =
        GraphWriter.write(
            form.renumber(graph, form.idsInNameOrder(graph)), GraphLimits.DEFAULT.responseBytes());
    return Digests.etag(body.array(), body.length());
  }
}
