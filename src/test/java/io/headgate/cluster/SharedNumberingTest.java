package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.ScriptedEngine;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An engine that flips the ids of one graph, read through three gateways (L22b). */
@ExtendWith(SharedCluster.class)
class SharedNumberingTest {
  private static final int FRESH_JOBS = 100;
  private static final String RECORDED_ID = "1179721194218520577";
  private static final String A = recording("31_branch_repeat_A.json");
  private static final String B = recording("31_branch_repeat_B.json");

  private final GatewayCluster cluster;
  private final ScriptedEngine engine;

  SharedNumberingTest(GatewayCluster cluster, ScriptedEngine engine) {
    this.cluster = cluster;
    this.engine = engine;
  }

  @Test
  void L22b_gateways_that_see_a_job_first_at_the_same_moment_give_one_etag() {
    Map<Long, Set<String>> etags = new TreeMap<>();
    int alone = 0;
    for (int i = 0; i < FRESH_JOBS; i++) {
      long job = Workload.freshId();
      engine.job(job, together(job));
      double before = answeredAlone();
      Set<String> seen = etags(askAll(job));
      if (answeredAlone() > before) {
        alone++; // a busy machine: the store did not answer in its 200 ms
      } else {
        etags.put(job, seen);
      }
    }
    assertThat(alone).as("jobs whose numbering was not shared in time").isLessThan(FRESH_JOBS / 4);
    assertThat(etags.values()).allMatch(seen -> seen.size() == 1);

    double before = answeredAlone();
    etags.forEach(
        (job, seen) -> {
          engine.job(job, inTurn(job));
          assertThat(etags(askAll(job))).as("job %d, read again", job).isEqualTo(seen);
        });
    assertThat(answeredAlone()).as("answers without the store").isEqualTo(before);
  }

  private static ScriptedEngine.Behaviour inTurn(long job) {
    AtomicInteger calls = new AtomicInteger();
    return (request, jobId, vertx) ->
        request.response().end(body(calls.incrementAndGet() % 2 == 0 ? A : B, job));
  }

  private static String body(String recorded, long job) {
    return recorded.replace(RECORDED_ID, Long.toString(job));
  }

  /** Holds the calls until every gateway has one open; then one gets A and the others B. */
  private ScriptedEngine.Behaviour together(long job) {
    List<HttpServerRequest> waiting = new ArrayList<>(); // on the engine's one event loop
    return (request, jobId, vertx) -> {
      waiting.add(request);
      if (waiting.size() % cluster.members().size() == 0) {
        int first = (int) (job % cluster.members().size());
        for (int i = 0; i < waiting.size(); i++) {
          waiting.get(i).response().end(body(i == first ? A : B, job));
        }
        waiting.clear();
      }
    };
  }

  private List<HttpResponse<String>> askAll(long job) {
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (GatewayProcess member : cluster.members()) {
      asked.add(member.lineageAsync(job));
    }
    return asked.stream()
        .map(CompletableFuture::join)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Set<String> etags(List<HttpResponse<String>> answers) {
    assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
    return answers.stream()
        .map(answer -> answer.headers().firstValue("ETag").orElse("none"))
        .collect(Collectors.toSet());
  }

  private double answeredAlone() {
    return cluster.members().stream()
        .mapToDouble(member -> member.metric("headgate_fence_alone_total"))
        .sum();
  }

  private static String recording(String name) {
    String path = "/zeta-recordings/2.3.9-SNAPSHOT-20241023-v2/" + name;
    try (InputStream in = SharedNumberingTest.class.getResourceAsStream(path)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
