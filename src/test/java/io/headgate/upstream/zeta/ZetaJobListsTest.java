package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Deadline;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.graph.Lookup;
import io.headgate.graph.Unavailability;
import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.ScriptedEngine.Behaviour;
import io.headgate.observe.Meters;
import io.headgate.observe.SourceHealth;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The lists of members that do what a test says, over real sockets. */
class ZetaJobListsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ACTIVE = "running-jobs";

  private final Vertx vertx = Vertx.vertx();
  private final Meters meters = new Meters();
  private final List<ScriptedEngine> engines = new ArrayList<>();
  private ZetaJobSource source;

  private ScriptedEngine engine() {
    ScriptedEngine engine = new ScriptedEngine();
    engines.add(engine);
    return engine;
  }

  private void open(ScriptedEngine... members) {
    open(PATIENCE, Stream.of(members).map(ScriptedEngine::uri).toList());
  }

  private void open(Duration attemptTimeout, List<URI> members) {
    ZetaConfig config =
        new ZetaConfig(
            members,
            null,
            null,
            attemptTimeout,
            PATIENCE,
            4,
            ZetaConfig.DEFAULT_MAX_BODY_BYTES,
            null,
            true);
    source = new ZetaJobSource(vertx, config, GraphLimits.DEFAULT, Runnable::run, meters);
  }

  @AfterEach
  void close() {
    if (source != null) {
      wait(source.close().toCompletionStage());
    }
    wait(vertx.close().toCompletionStage());
    engines.forEach(ScriptedEngine::close);
    meters.close();
  }

  private static <T> T wait(CompletionStage<T> future) {
    return future.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private JobListing list(Duration deadline) {
    return wait(source.list(10_000, Deadline.in(deadline)).answer());
  }

  private List<JobSummary> read() {
    JobListing listing = list(PATIENCE);
    assertThat(listing).isInstanceOf(JobListing.Read.class);
    assertThat(((JobListing.Read) listing).whole()).isTrue();
    return ((JobListing.Read) listing).jobs();
  }

  private static String ids(List<JobSummary> jobs) {
    return jobs.stream()
        .map(job -> job.jobId() + (job.active() ? " active" : " ended"))
        .collect(Collectors.joining(", "));
  }

  private static Behaviour jobs(long... ids) {
    return ScriptedEngine.body(text(ids));
  }

  private static String text(long... ids) {
    return LongStream.of(ids)
        .mapToObj(id -> JobInfo.of(id).json())
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void L29_running_and_finished_jobs_are_read_by_documented_routes() {
    ScriptedEngine engine =
        engine()
            .list(ACTIVE, jobs(1, 2))
            .list("finished-jobs/FINISHED", jobs(3))
            .list("finished-jobs/FAILED", jobs(4))
            .list("finished-jobs/CANCELED", jobs(5))
            .list("finished-jobs/SAVEPOINT_DONE", jobs(6, 2));
    open(PATIENCE, List.of(URI.create(engine.uri() + "/hazelcast/rest/maps/")));

    assertThat(ids(read())).isEqualTo("2 active, 1 active, 6 ended, 5 ended, 4 ended, 3 ended");
    assertThat(engine.listRequests())
        .extracting(line -> line.substring(0, line.indexOf(' ', 4)))
        .containsExactlyInAnyOrder(
            "GET /hazelcast/rest/maps/overview",
            "GET /hazelcast/rest/maps/running-jobs",
            "GET /hazelcast/rest/maps/finished-jobs/FAILED",
            "GET /hazelcast/rest/maps/finished-jobs/SAVEPOINT_DONE",
            "GET /hazelcast/rest/maps/finished-jobs/CANCELED",
            "GET /hazelcast/rest/maps/finished-jobs/FINISHED");
    assertThat(engine.listRequests().get(1)).as("active jobs are read first").contains(ACTIVE);
    assertThat(engine.calls()).as("job-info calls").isZero();
  }

  static Stream<String> engineVersions() {
    return Stream.of("2.3.4", "2.3.8", "2.3.9-SNAPSHOT-20241023-v1", "2.3.9-SNAPSHOT-20241023-v2");
  }

  @ParameterizedTest
  @MethodSource("engineVersions")
  void every_recorded_engine_s_lists_are_read(String version) {
    Recording active =
        Recording.activeLists().stream()
            .filter(list -> list.engine().equals(version))
            .findFirst()
            .orElseThrow();
    open(
        engine()
            .list(ACTIVE, recorded(active))
            .list(
                "finished-jobs/FINISHED",
                recorded(Recording.of(version, "03_finished-jobs_FINISHED")))
            .list(
                "finished-jobs/FAILED", recorded(Recording.of(version, "03_finished-jobs_FAILED")))
            .list(
                "finished-jobs/SAVEPOINT_DONE",
                recorded(Recording.of(version, "08_finished-jobs_SAVEPOINT_DONE_while_running")))
            .list(
                "finished-jobs/CANCELED",
                recorded(Recording.of(version, "00_finished_jobs_empty"))));

    List<JobSummary> jobs = read();

    assertThat(jobs)
        .extracting(job -> job.name() + " " + job.status() + " " + job.active())
        .contains(
            "branch RUNNING true",
            "stream RUNNING true",
            "multi RUNNING true",
            "failrun FAILED false",
            "batch_copy_filter FINISHED false")
        .doesNotContain("branch SAVEPOINT_DONE false");
    assertThat(jobs).allSatisfy(job -> assertThat(job.created()).isNotNull());
    assertThat(jobs)
        .filteredOn(job -> job.status() == JobStatus.FINISHED)
        .allSatisfy(job -> assertThat(job.ended()).isNotNull());
  }

  private static Behaviour recorded(Recording recording) {
    return (request, jobId, engine) -> request.response().end(Buffer.buffer(recording.body()));
  }

  @Test
  void of_two_executions_of_a_job_the_active_one_is_kept_and_then_the_newest() {
    String first = JobInfo.of(5).created("2026-01-01 00:00:00").json();
    String second = JobInfo.of(5).created("2026-01-02 00:00:00").json();
    open(
        engine()
            .list(ACTIVE, jobs(4))
            .list("finished-jobs/FINISHED", ScriptedEngine.body("[" + first + "]"))
            .list("finished-jobs/CANCELED", ScriptedEngine.body("[" + second + "]"))
            .list("finished-jobs/FAILED", jobs(4)));

    List<JobSummary> jobs = read();

    assertThat(ids(jobs)).isEqualTo("4 active, 5 ended");
    assertThat(jobs.get(1).created()).isEqualTo(JobTime.ofEngine("2026-01-02 00:00:00"));
  }

  static Stream<Arguments> faults() {
    String list = text(1, 2, 3);
    return Stream.of(
        Arguments.of("500", ScriptedEngine.status(500), Unavailability.UPSTREAM_STATUS),
        Arguments.of("204", ScriptedEngine.status(204), Unavailability.UPSTREAM_STATUS),
        Arguments.of("401", ScriptedEngine.status(401), Unavailability.UPSTREAM_AUTH),
        Arguments.of("a reset", ScriptedEngine.reset(), Unavailability.UNREACHABLE),
        Arguments.of("no JSON", ScriptedEngine.body("<html>"), Unavailability.UPSTREAM_BODY),
        Arguments.of("an object", ScriptedEngine.body("{}"), Unavailability.UPSTREAM_BODY),
        Arguments.of("nothing", ScriptedEngine.body(""), Unavailability.UPSTREAM_BODY),
        Arguments.of(
            "half a list",
            ScriptedEngine.body(list.substring(0, list.length() - 20)),
            Unavailability.UPSTREAM_BODY),
        Arguments.of("more", ScriptedEngine.body(list + list), Unavailability.UPSTREAM_BODY),
        Arguments.of("a body cut short", cutShort(list), Unavailability.UNREACHABLE),
        Arguments.of("a coded body", coded(list), Unavailability.UPSTREAM_BODY));
  }

  private static Behaviour cutShort(String list) {
    return (request, jobId, vertx) -> {
      request.response().putHeader("Content-Length", Integer.toString(list.length()));
      request
          .response()
          .write(list.substring(0, list.length() / 2))
          .onSuccess(written -> request.connection().close());
    };
  }

  private static Behaviour coded(String list) {
    return (request, jobId, vertx) ->
        request.response().putHeader("Content-Encoding", "gzip").end(list);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void a_list_that_fails_makes_the_whole_source_unread_and_the_next_member_s_turn(
      String what, Behaviour fault, Unavailability reason) {
    for (String list : List.of(ACTIVE, "finished-jobs/SAVEPOINT_DONE")) {
      ScriptedEngine faulty = engine().list(ACTIVE, jobs(9)).list(list, fault);
      open(faulty);
      assertThat(list(PATIENCE)).as(list).isEqualTo(new JobListing.Unavailable(reason));

      open(faulty, engine().list(ACTIVE, jobs(8)));
      assertThat(ids(read())).as(list).isEqualTo("8 active");
    }
  }

  @Test
  void members_that_can_t_be_reached_or_whose_overview_hangs_are_passed_by() {
    ScriptedEngine frozen = engine().overview(ScriptedEngine.hang());
    ScriptedEngine starting = engine().overview(ScriptedEngine.status(500));
    ScriptedEngine gone = new ScriptedEngine();
    URI closed = gone.uri();
    gone.close();
    ScriptedEngine well = engine().list(ACTIVE, jobs(8));
    open(Duration.ofSeconds(2), List.of(closed, frozen.uri(), starting.uri(), well.uri()));

    assertThat(ids(read())).isEqualTo("8 active");
    assertThat(frozen.listRequests()).hasSize(1);
  }

  @Test
  void a_list_that_drips_or_never_ends_is_given_up_at_the_deadline() {
    ScriptedEngine dripping =
        engine()
            .list(
                ACTIVE,
                (request, jobId, vertx) -> {
                  request.response().setChunked(true).write("[");
                  vertx.setPeriodic(
                      20,
                      t -> {
                        if (request.response().closed()) {
                          vertx.cancelTimer(t);
                        } else {
                          request.response().write(" ");
                        }
                      });
                });
    ScriptedEngine endless = engine().list("finished-jobs/FINISHED", this::endless);
    for (ScriptedEngine engine : List.of(dripping, endless)) {
      open(engine);
      assertThat(list(Duration.ofMillis(1_500)))
          .isEqualTo(new JobListing.Unavailable(Unavailability.DEADLINE));
    }
  }

  private void endless(HttpServerRequest request, long jobId, Vertx vertx) {
    request.response().setChunked(true).write("[{\"jobDag\":\"");
    Buffer piece = Buffer.buffer("x".repeat(32 * 1024));
    vertx.setPeriodic(
        1,
        t -> {
          if (request.response().closed()) {
            vertx.cancelTimer(t);
          } else if (!request.response().writeQueueFull()) {
            request.response().write(piece);
          }
        });
  }

  @Test
  void the_member_that_took_too_long_is_asked_last_the_next_time() {
    ScriptedEngine slow = engine().list(ACTIVE, ScriptedEngine.hang());
    ScriptedEngine well = engine().list(ACTIVE, jobs(8));
    open(slow, well);

    assertThat(list(Duration.ofMillis(700)))
        .isEqualTo(new JobListing.Unavailable(Unavailability.DEADLINE));
    assertThat(ids(read())).isEqualTo("8 active");
    assertThat(slow.listRequests()).as("overview and one list").hasSize(2);
  }

  @Test
  void L25_lists_that_fail_open_no_breaker_and_take_no_connection_of_lookups() {
    ScriptedEngine engine = engine().list(ACTIVE, ScriptedEngine.status(503));
    engine.otherwise(ScriptedEngine.graphAfter(0));
    open(engine);

    for (int reading = 0; reading < 10; reading++) {
      assertThat(list(PATIENCE)).isInstanceOf(JobListing.Unavailable.class);
    }
    assertThat(source.members()).containsExactly(SourceHealth.Status.USABLE);

    engine.list(ACTIVE, ScriptedEngine.hang());
    CompletableFuture<JobListing> hanging =
        source.list(10_000, Deadline.in(PATIENCE)).answer().toCompletableFuture();
    await().until(() -> engine.listRequests().size() == 10 * 2 + 2);
    List<CompletableFuture<Lookup>> lookups =
        LongStream.rangeClosed(1, 4)
            .mapToObj(id -> source.lookup(id, Deadline.in(PATIENCE)).answer().toCompletableFuture())
            .toList();
    assertThat(lookups)
        .allSatisfy(lookup -> assertThat(wait(lookup)).isInstanceOf(Lookup.Found.class));
    assertThat(hanging).isNotDone();
  }

  @Test
  void closing_the_source_ends_a_reading_under_way() {
    ScriptedEngine engine = engine().list(ACTIVE, ScriptedEngine.hang());
    open(engine);
    CompletableFuture<JobListing> hanging =
        source.list(10_000, Deadline.in(PATIENCE)).answer().toCompletableFuture();
    await().until(() -> engine.listRequests().size() == 2);

    wait(source.close().toCompletionStage());

    assertThat(wait(hanging)).isEqualTo(new JobListing.Unavailable(Unavailability.STOPPING));
    assertThat(list(PATIENCE)).isEqualTo(new JobListing.Unavailable(Unavailability.STOPPING));
  }

  /** A hundred megabytes of graphs, as they come from engines with many jobs. */
  @Test
  void lookups_go_on_while_a_huge_list_passes_by_and_more_jobs_than_wanted_are_left_out() {
    int count = 20_000;
    CompletableFuture<LongList> list = new CompletableFuture<>();
    ScriptedEngine engine =
        engine()
            .list(
                ACTIVE,
                (request, jobId, engineVertx) ->
                    list.complete(new LongList(request.response(), engineVertx, count)));
    engine.otherwise(ScriptedEngine.graphAfter(0));
    open(engine);

    CompletableFuture<JobListing> listing =
        source.list(10_000, Deadline.in(Duration.ofMinutes(5))).answer().toCompletableFuture();
    wait(list).write(count / 2);
    for (int job = 1; job <= 20; job++) {
      assertThat(wait(source.lookup(job, Deadline.in(PATIENCE)).answer()))
          .isInstanceOf(Lookup.Found.class);
    }
    assertThat(listing).isNotDone();
    wait(list).write(count);

    await().atMost(Duration.ofMinutes(5)).until(listing::isDone);
    JobListing.Read read = (JobListing.Read) wait(listing);
    assertThat(read.whole()).isFalse();
    assertThat(read.jobs()).hasSize(10_000);
    assertThat(read.jobs().get(0).jobId()).isEqualTo(count - 1);
  }

  /** Writes a list as fast as it is read, and lets other connections have turns. */
  private static final class LongList {
    private static final Buffer REST =
        Buffer.buffer(JobInfo.of(1).nodes(50).json().substring("{\"jobId\":\"1\"".length()) + ",");

    private final HttpServerResponse response;
    private final Vertx vertx;
    private final Context context;
    private final int count;
    private int written;

    LongList(HttpServerResponse response, Vertx vertx, int count) {
      this.response = response;
      this.vertx = vertx;
      this.context = vertx.getOrCreateContext();
      this.count = count;
      response.setChunked(true).write("[");
    }

    /** Goes on up to job {@code last}; on any thread. */
    void write(int last) {
      context.runOnContext(v -> proceed(last));
    }

    private void proceed(int last) {
      for (int turn = 0; turn < 50 && written < last && !response.writeQueueFull(); turn++) {
        if (++written == count) {
          response.end("{\"jobId\":\"" + written + "\"}]");
          return;
        }
        response.write("{\"jobId\":\"" + written + "\"");
        response.write(REST);
      }
      if (written < last) {
        vertx.setTimer(1, t -> proceed(last)); // a timer, since tasks would keep sockets waiting
      }
    }
  }
}
