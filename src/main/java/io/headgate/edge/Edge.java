package io.headgate.edge;

import io.headgate.admission.Admission;
import io.headgate.admission.AdmissionConfig;
import io.headgate.admission.Flights;
import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.admission.SoloFlights;
import io.headgate.edge.guard.ConnectionGate;
import io.headgate.fn.FnDoor;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.jobs.JobsSnapshot;
import io.headgate.lineage.LineageAnswer;
import io.headgate.observe.Health;
import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.picture.Painter;
import io.headgate.timeline.live.JobPresence;
import io.headgate.timeline.live.LiveTimelines;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the event loops of one deployment have in common: flights, users, connection count, meters.
 * Safe on any thread; closed by whoever made it, after the last {@link EdgeVerticle} is undeployed.
 */
public final class Edge implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Edge.class);
  private static final Reply LINEAGE_BUSY =
      Reply.of(ErrorCode.LINEAGE_TEMPORARILY_UNAVAILABLE, "busy");

  /** A job that is unknown now may be submitted any moment. */
  private static final Duration LONGEST_NOT_FOUND = Duration.ofMillis(500);

  final HttpConfig config;
  final Health health;
  final RecentScrape metrics;
  final Reply document;
  final PageFiles page;
  final RecentScrape status;
  private final Meters meters;
  private final Admission admission;
  final ConnectionGate connections;
  final EdgeMeters edgeMeters;
  final Committer committer;
  final Flights<Long, Reply> lineage;
  private final BiFunction<Long, Deadline, Call<LineageAnswer>> lineageWork;
  private final Pictures pictures;
  final Supplier<@Nullable JobsSnapshot> jobs;
  final SoloFlights<Reply> publications;
  final SoloFlights<Reply> reports;
  final @Nullable Publishing publishing;
  final @Nullable LiveTimelines timelines;
  final SoloFlights<Reply> timelineQuestions;
  final SoloFlights<Reply> fnQuestions;
  final Duration deadline;
  final WriteAccess writeAccess;
  final @Nullable Authenticator authenticator;
  final @Nullable ServerCertificate certificate;
  private final PacedLog outcomes = new PacedLog(System::nanoTime);
  private @Nullable CertificateWatch watch;
  private @Nullable FnDoor fn;
  private @Nullable AccessLog accessLog;

  /**
   * @param lineageWork begins the lineage lookup of one job
   * @param jobs the list of jobs as it was read last
   * @param publishing where graphs that come in go, or null where nothing may be published
   * @param timelines where reports on schema changes go, or null where none are taken or shown
   * @param painter draws pictures of graphs
   * @param files users and certificate
   * @param packaged what the program brings along to be served
   */
  public Edge(
      HttpConfig config,
      AdmissionConfig admissionConfig,
      Admission admission,
      BiFunction<Long, Deadline, Call<LineageAnswer>> lineageWork,
      Supplier<@Nullable JobsSnapshot> jobs,
      @Nullable Publishing publishing,
      @Nullable LiveTimelines timelines,
      Painter painter,
      ListenerFiles files,
      PackagedFiles packaged,
      Health health,
      Meters meters) {
    this.config = config;
    this.admission = admission;
    this.publishing = publishing;
    this.timelines = timelines;
    this.health = health;
    this.jobs = jobs;
    certificate = files.certificate();
    this.meters = meters;
    document = packaged.document();
    page = packaged.page();
    metrics = new RecentScrape(meters::scrape, System::nanoTime);
    connections = new ConnectionGate(config.maxConnections());
    edgeMeters = new EdgeMeters(meters, connections);
    committer = new Committer(admission.unwritten(), edgeMeters, config.writeDeadline());
    Users users = files.users();
    authenticator = users == null ? null : new Authenticator(users, System::nanoTime);
    writeAccess = new WriteAccess(config, users != null);
    publications =
        new SoloFlights<>(
            admission,
            admissionConfig.deadline(),
            Reply.of(ErrorCode.DIRECTORY_TEMPORARILY_UNAVAILABLE, "deadline"),
            Reply.of(ErrorCode.INTERNAL_ERROR, "internal"));
    deadline = admissionConfig.deadline();
    timelineQuestions =
        new SoloFlights<>(
            admission,
            deadline,
            Reply.of(ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE, "deadline"),
            Reply.of(ErrorCode.INTERNAL_ERROR, "internal"));
    fnQuestions =
        new SoloFlights<>(
            admission,
            deadline,
            Reply.of(ErrorCode.FN_TEMPORARILY_UNAVAILABLE, "deadline"),
            Reply.of(ErrorCode.INTERNAL_ERROR, "internal"));
    reports =
        new SoloFlights<>(
            admission,
            admissionConfig.deadline(),
            Reply.of(ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE, "deadline"),
            Reply.of(ErrorCode.INTERNAL_ERROR, "internal"));
    if (!writeAccess.isOn()) {
      warnOfNoWrites();
    }
    Flights.Terms<Reply> terms =
        new Flights.Terms<>(
            LINEAGE_BUSY,
            Reply.of(ErrorCode.LINEAGE_TEMPORARILY_UNAVAILABLE, "deadline"),
            Reply.of(ErrorCode.LINEAGE_INTERNAL_ERROR, "internal"),
            reply -> reuse(reply.status(), admissionConfig.freshness()),
            reply -> reply.length());
    this.lineageWork = lineageWork;
    lineage =
        new Flights<>(
            admission,
            new Flights.Bounds(
                deadline, admissionConfig.maxWaiters(), admissionConfig.retainedBytes()),
            terms);
    pictures = new Pictures(admission, admissionConfig.maxWaiters(), painter, meters);
    status =
        new RecentScrape(new GatewayStatus(this, health, () -> fn != null)::json, System::nanoTime);
    observe(admission);
  }

  private void warnOfNoWrites() {
    String needed = "it needs http.auth.basic.usersFile, or an http.host on loopback";
    if (publishing != null) {
      log.warn("nothing can be published over HTTP: {}", needed);
    }
    if (timelines != null) {
      log.warn("nothing can be reported of schema changes: {}", needed);
    }
  }

  /**
   * Lets runners of the Fn API ask over HTTP; before the first {@link EdgeVerticle} is deployed.
   */
  public void open(FnDoor door) {
    fn = door;
    if (!writeAccess.isOn()) {
      log.warn("no bundle descriptor can be registered over HTTP: it needs users or loopback");
    }
  }

  /** Has a line written for each request; before the first {@link EdgeVerticle} is deployed. */
  public void open(AccessLog lines) {
    accessLog = lines;
  }

  /** What writes lines, or null where there are none. */
  @Nullable AccessLog accessLog() {
    return accessLog;
  }

  /** What runners ask over HTTP, or null where they may not. */
  @Nullable FnDoor fn() {
    return fn;
  }

  /**
   * Waits for the lineage of a job; see {@link Flights#await}.
   *
   * @return null if the request waits now, else an answer at once
   */
  @Nullable Reply awaitLineage(long jobId, Context context, Consumer<Reply> delivery) {
    return awaitLineage(jobId, Pool.LINEAGE, context, delivery);
  }

  private @Nullable Reply awaitLineage(
      long jobId, Pool pool, Context context, Consumer<Reply> delivery) {
    return lineage.await(
        jobId,
        pool,
        due -> lineageWork.apply(jobId, due).map(answer -> reply(jobId, answer)),
        context,
        delivery);
  }

  private Reply reply(long jobId, LineageAnswer answer) {
    Reply reply = Reply.of(answer);
    if (reply.status() != 200) {
      outcomes.info(reply.reason(), "job " + jobId + ": " + reply.status() + " " + reply.reason());
    }
    return reply;
  }

  /** The permits of one kind of work. */
  Permits permits(Pool pool) {
    return admission.permits(pool);
  }

  /**
   * Asks the sources whether there is such a job, the way a lineage request would: no second lookup
   * beside one that is under way, and a permit of lineage for one of its own (L15, L17). But the
   * last free one is left to lineage, or questions after jobs that nobody knows could keep it from
   * all others (T15).
   *
   * @param context an event loop of whoever asks
   */
  public CompletionStage<JobPresence> ask(long jobId, Context context) {
    Reply known = lineage.recent(jobId);
    if (known == null && !lineage.isUnderWay(jobId) && !isLineageAtEase()) {
      known = LINEAGE_BUSY;
    }
    CompletableFuture<JobPresence> presence = new CompletableFuture<>();
    deliverLineage(
        known, jobId, Pool.LINEAGE, context, reply -> presence.complete(presence(reply)));
    return presence;
  }

  /**
   * Asks for the graph that a picture is to be made of, the way a lineage request would, but takes
   * no permit from lineage: a lookup of its own takes one of the pool {@code picture-lookups}.
   *
   * @param delivery on {@code context}, the event loop of the request; it may run at once
   */
  void askForPicture(long jobId, Context context, Consumer<Reply> delivery) {
    deliverLineage(lineage.recent(jobId), jobId, Pool.PICTURE_LOOKUPS, context, delivery);
  }

  /** Delivers {@code known} at once or, where that is null, what is waited for. */
  private void deliverLineage(
      @Nullable Reply known, long jobId, Pool pool, Context context, Consumer<Reply> delivery) {
    Reply reply = known == null ? awaitLineage(jobId, pool, context, delivery) : known;
    if (reply != null) {
      delivery.accept(reply);
    }
  }

  /**
   * Answers with the picture of {@code lineage}, or with an error; see {@link Pictures#answer}. On
   * the event loop of the request.
   */
  void draw(HttpServerRequest request, Reply lineage, Pictures.Errors errors, Context context) {
    pictures.answer(request, lineage, errors, context, reply -> sendPicture(request, reply));
  }

  /** Sends and counts what a question for a picture is answered. */
  void sendPicture(HttpServerRequest request, Reply reply) {
    edgeMeters.pictureShown(reply);
    committer.send(request, reply);
  }

  private static JobPresence presence(Reply lineage) {
    JobPresence.Kind kind =
        switch (lineage.status()) {
          case 200, 409, 413 -> lineage.ended() ? JobPresence.Kind.ENDED : JobPresence.Kind.ACTIVE;
          case 404 -> JobPresence.Kind.ABSENT;
          case 503 -> JobPresence.Kind.UNSAID;
          default -> JobPresence.Kind.FAILED;
        };
    return new JobPresence(kind, lineage.reason());
  }

  /** Whether a lookup that nobody waits for may begin: the last free permit is left to clients. */
  public boolean isLineageAtEase() {
    Permits permits = admission.permits(Pool.LINEAGE);
    return permits.inUse() < Math.max(1, permits.limit() - 1);
  }

  /** Counts what a question for a timeline was answered; failures go to the log, too. */
  void timelineShown(long jobId, Reply reply) {
    edgeMeters.timelineShown(reply);
    if (reply.status() >= 500) {
      outcomes.info(
          "timeline " + reply.reason(),
          "timeline of job " + jobId + ": " + reply.status() + " " + reply.reason());
    }
  }

  /** Counts what a publication was answered; what is no success goes to the log, too. */
  void published(long jobId, Reply reply) {
    edgeMeters.published(reply);
    if (reply.status() != 200) {
      String job = jobId == JobIds.INVALID ? "a job" : "job " + jobId;
      outcomes.info(
          "published " + reply.reason(),
          "publication for " + job + ": " + reply.status() + " " + reply.reason());
    }
  }

  /** Counts what a report was answered; what is no success goes to the log, too. */
  void reported(boolean byEngine, Reply reply) {
    String what = byEngine ? "report of an engine" : "report of decisions";
    if (byEngine) {
      edgeMeters.reported(reply);
    } else {
      edgeMeters.decided(reply);
    }
    if (reply.status() != 200) {
      outcomes.info(what + reply.reason(), what + ": " + reply.status() + " " + reply.reason());
    }
  }

  private static Duration reuse(int status, Duration freshness) {
    return switch (status) {
      case 200, 409, 413 -> freshness;
      case 404 -> freshness.compareTo(LONGEST_NOT_FOUND) < 0 ? freshness : LONGEST_NOT_FOUND;
      default -> Duration.ZERO;
    };
  }

  private void observe(Admission admission) {
    for (Pool pool : Pool.values()) {
      observe(pool.label(), admission.permits(pool));
    }
    meters.gauge("headgate.workers.active", "Workers busy now.", admission.workers()::active);
    meters.gauge("headgate.workers.queued", "Tasks before a worker.", admission.workers()::queued);
    meters.gauge("headgate.flights", "Lookups under way, overdue ones too.", lineage::underWay);
    meters.gauge("headgate.flights.waiting", "Requests waiting for them.", lineage::waiting);
    meters.counter("headgate.flights.begun", "Lookups begun.", lineage::begun);
    meters.counter("headgate.flights.joined", "Requests that joined one.", lineage::joined);
    meters.counter("headgate.flights.crowded", "Requests one too many.", lineage::crowded);
    meters.counter("headgate.flights.overdue", "Lookups past their deadline.", lineage::overdue);
    meters.counter("headgate.recent.reused", "Requests given a recent answer.", lineage::reused);
    meters.gauge("headgate.recent.answers", "Recent answers kept.", lineage::recentAnswers);
    meters.gauge("headgate.recent.bytes", "Bytes of recent answers.", lineage::recentBytes);
    meters.counter(
        "headgate.recent.evicted", "Recent answers let go early.", lineage::recentEvicted);
    var unwritten = admission.unwritten();
    meters.gauge("headgate.unwritten.bytes", "Bytes on their way to clients.", unwritten::held);
    meters.gauge("headgate.unwritten.responses", "Responses they belong to.", unwritten::responses);
    meters.counter(
        "headgate.unwritten.evicted", "Responses closed to make room.", unwritten::evicted);
    meters.counter("headgate.unwritten.cut", "Responses that took too long.", unwritten::cut);
    if (authenticator != null) {
      meters.counter("headgate.auth.refused", "Credentials not checked.", authenticator::refused);
    }
  }

  private void observe(String pool, Permits permits) {
    String label = "pool";
    meters.gauge("headgate.permits.limit", "Permits there are.", permits::limit, label, pool);
    meters.gauge("headgate.permits.used", "Permits in use now.", permits::inUse, label, pool);
    meters.counter("headgate.permits.granted", "Permits given.", permits::granted, label, pool);
    meters.counter("headgate.permits.refused", "Requests without.", permits::refused, label, pool);
    for (Permits.Ending ending : Permits.Ending.values()) {
      meters.counter(
          "headgate.permits.ended",
          "Permits given back, by how their work ended.",
          () -> permits.ended(ending),
          label,
          pool,
          "ending",
          ending.name().toLowerCase(Locale.ROOT));
    }
  }

  /** From now on {@code verticle} learns of changed certificate files, if there are any. */
  public void watchCertificate(Vertx vertx, EdgeVerticle verticle) {
    if (config.certificate() != null && config.key() != null) {
      watch =
          new CertificateWatch(
              vertx, "http.tls", config.certificate(), config.key(), verticle::replaceCertificate);
    }
  }

  /** Ends the threads that check passwords and certificate files. */
  @Override
  public void close() {
    if (authenticator != null) {
      authenticator.close();
    }
    if (watch != null) {
      watch.close();
    }
  }
}
