package io.headgate.example;

import io.headgate.HeadgateConfig;
import io.headgate.HeadgateVerticle;
import io.headgate.directory.JobGraphPublisher;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobStatus;
import io.headgate.graph.NodeKind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;

/** A service that runs jobs of its own and shows their graphs. docs/embedding.md explains it. */
final class PublishingService {
  private final HeadgateVerticle gateway;

  PublishingService(HeadgateConfig config) {
    // [start]
    gateway = new HeadgateVerticle(config);
    // [start]
  }

  Future<String> start(Vertx vertx) {
    // [start]
    return vertx.deployVerticle(gateway);
    // [start]
  }

  int port() {
    return gateway.port();
  }

  void run(long jobId, long epoch) {
    // [publish]
    JobGraphPublisher publisher = gateway.publisher();
    publisher.started(jobId, epoch, Instant.now());
    publisher.graph(jobId, epoch, graph(jobId));
    publisher
        .transition(jobId, epoch, JobStatus.RUNNING)
        .thenAccept(outcome -> System.out.println("running: " + outcome));
    // [publish]
  }

  void end(long jobId, long epoch) {
    // [end]
    gateway.publisher().finished(jobId, epoch, JobStatus.FINISHED);
    // [end]
  }

  // [graph]
  static JobGraph graph(long jobId) {
    JobGraphBuilder builder = new JobGraphBuilder(jobId, GraphLimits.DEFAULT);
    builder.beginNode();
    builder.name("orders");
    builder.path("shop.orders");
    builder.endNode(1, NodeKind.SOURCE);
    builder.beginNode();
    builder.name("warehouse");
    builder.path("dw.orders");
    builder.endNode(2, NodeKind.SINK);
    builder.beginEdge();
    builder.edge(1, 1, 2);
    if (builder.build() instanceof JobGraphBuilder.Built.Checked checked) {
      return checked.graph();
    }
    throw new IllegalStateException("not a graph: too large, or inconsistent");
  }
  // [graph]
}
