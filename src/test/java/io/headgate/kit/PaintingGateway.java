package io.headgate.kit;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import io.headgate.picture.Painter;
import io.headgate.picture.Painting;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The HTTP half of a gateway whose pictures take as long as the test wants. It knows every job: a
 * chain of three nodes.
 */
public final class PaintingGateway extends HttpHalf {
  private final HeldPainter held;

  /**
   * @param settings configuration keys and values
   */
  public PaintingGateway(String... settings) {
    super(settings);
    held = new HeldPainter(painter);
    painter = held;
    start(PaintingGateway::lookup, null, null);
  }

  private static Call<Lookup> lookup(long jobId, Deadline deadline) {
    ReportedGraph chain = ReportedGraph.chain(3);
    JobGraph graph = new ReportedGraph(jobId, chain.nodes(), chain.edges()).checked();
    return Call.of(new Lookup.Found(graph, Execution.ofEpoch(1, Instant.EPOCH), false));
  }

  /** A painter that does not look at the clock and goes on when it is let. */
  private static final class HeldPainter implements Painter {
    final Painter painter;
    final CountDownLatch released = new CountDownLatch(1);
    final AtomicInteger begun = new AtomicInteger();

    HeldPainter(Painter painter) {
      this.painter = painter;
    }

    @Override
    public Duration deadline() {
      return painter.deadline();
    }

    @Override
    public String tag(String lineageTag) {
      return painter.tag(lineageTag);
    }

    @Override
    public Painting paint(byte[] lineage, Deadline deadline) {
      begun.incrementAndGet();
      boolean interrupted = false;
      while (true) {
        try {
          released.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true; // as a layout would, it goes on
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return painter.paint(lineage, Deadline.in(Duration.ofMinutes(1)));
    }
  }

  /** Lets all pictures go on. */
  public void release() {
    held.released.countDown();
  }

  /** How many have begun. */
  public int begun() {
    return held.begun.get();
  }

  public HttpResponse<String> picture(long jobId) {
    return get("/job-lineage/" + jobId + "/graph.svg");
  }

  public CompletableFuture<HttpResponse<String>> pictureLater(long jobId) {
    return CompletableFuture.supplyAsync(() -> picture(jobId));
  }

  /** Permits of the pool in use now. */
  public double permitsUsed() {
    return metric("headgate_permits_used{pool=\"picture\"}");
  }
}
