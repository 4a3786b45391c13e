package io.headgate.example;

import io.headgate.HeadgateConfig;
import io.headgate.HeadgateVerticle;
import io.headgate.directory.JobGraphPublisher;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobStatus;
import io.headgate.graph.NodeKind;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.ReasonCode;
import io.headgate.timeline.Stage;
import io.headgate.timeline.live.SchemaEvolutionRecorder;
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

  void change(long jobId, String change, boolean applied) {
    // [record]
    SchemaEvolutionRecorder recorder = gateway.recorder();
    ChangeReference reference = ChangeReference.ByKey.of(change);
    recorder.record(
        DecisionEvent.of(jobId, reference, Stage.TARGET_RESOLVED)
            .sourceTable("shop.orders")
            .target("dw.orders", "warehouse", null)
            .targetCount(1));
    recorder.record(
        DecisionEvent.of(jobId, reference, Stage.COMPLETED)
            .at(System.currentTimeMillis())
            .target("dw.orders", "warehouse", null)
            .outcome(applied ? Outcome.APPLIED : Outcome.FAILED)
            .reason(applied ? ReasonCode.APPLY_SUCCEEDED : ReasonCode.SINK_APPLY_FAILED));
    // [record]
  }

  long recorded() {
    return gateway.recorder().count(SchemaEvolutionRecorder.Fate.RECORDED);
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
