package io.headgate.kit;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One member of a cluster that does what a test says: answers late, hangs, resets, drips, lies.
 * Speaks real HTTP on loopback. Counts calls to job-info; a call is open until it is answered or
 * its connection is gone.
 */
public final class ScriptedEngine implements AutoCloseable {
  /** What happens to one call. */
  @FunctionalInterface
  public interface Behaviour {
    void answer(HttpServerRequest request, long jobId, Vertx vertx);
  }

  private static final Pattern LIST = Pattern.compile("/(running-jobs|finished-jobs/[A-Z_]+)$");

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final Map<Long, Behaviour> byJob = new ConcurrentHashMap<>();
  private final AtomicReference<Behaviour> otherwise = new AtomicReference<>(unknown());
  private final AtomicReference<Behaviour> overview = new AtomicReference<>(body("{}"));
  private final Map<String, Behaviour> lists = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> listRequests = new CopyOnWriteArrayList<>();

  public ScriptedEngine() {
    this(new HttpServerOptions());
  }

  public ScriptedEngine(HttpServerOptions options) {
    server =
        await(
            vertx
                .createHttpServer(
                    options
                        .setHost("127.0.0.1")
                        .setPort(options.getPort() == 80 ? 0 : options.getPort()))
                .requestHandler(this::handle)
                .exceptionHandler(ignored -> {})
                .listen());
  }

  private void handle(HttpServerRequest request) {
    String line = request.method() + " " + request.uri() + " " + headerLine(request);
    String path = request.path();
    String list = listOf(path);
    if (list != null) {
      listRequests.add(line);
      lists.getOrDefault(list, body("[]")).answer(request, 0, vertx);
      return;
    }
    if (path.endsWith("/overview")) {
      listRequests.add(line);
      overview.get().answer(request, 0, vertx);
      return;
    }
    requests.add(line);
    long jobId = Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
    calls.incrementAndGet();
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    AtomicInteger once = new AtomicInteger(1);
    Runnable closed = () -> open.addAndGet(-once.getAndSet(0));
    request.response().endHandler(v -> closed.run());
    request.response().closeHandler(v -> closed.run());
    request.response().exceptionHandler(v -> closed.run());
    byJob.getOrDefault(jobId, otherwise.get()).answer(request, jobId, vertx);
  }

  /** The list that this path is the route of, or null. */
  private static @Nullable String listOf(String path) {
    Matcher list = LIST.matcher(path);
    return list.find() ? list.group(1) : null;
  }

  private static String headerLine(HttpServerRequest request) {
    StringBuilder line = new StringBuilder();
    request
        .headers()
        .forEach((name, value) -> line.append(name).append('=').append(value).append(';'));
    return line.toString();
  }

  /** What this job's calls do from now on. */
  public ScriptedEngine job(long jobId, Behaviour behaviour) {
    byJob.put(jobId, behaviour);
    return this;
  }

  /** What all other jobs' calls do from now on. */
  public ScriptedEngine otherwise(Behaviour behaviour) {
    otherwise.set(behaviour);
    return this;
  }

  /** What overview calls do from now on. */
  public ScriptedEngine overview(Behaviour behaviour) {
    overview.set(behaviour);
    return this;
  }

  /**
   * What calls of this list do from now on; without it, it is empty.
   *
   * @param list {@code running-jobs} or {@code finished-jobs/} and a state
   */
  public ScriptedEngine list(String list, Behaviour behaviour) {
    lists.put(list, behaviour);
    return this;
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.actualPort());
  }

  public int port() {
    return server.actualPort();
  }

  /** Job-info calls so far. */
  public int calls() {
    return calls.get();
  }

  /** Job-info calls open now. */
  public int open() {
    return open.get();
  }

  /** The most job-info calls that were open at once. */
  public int mostOpen() {
    return mostOpen.get();
  }

  /** Every job-info request so far, as method, target and headers. */
  public List<String> requests() {
    return requests;
  }

  /** Every request for a list or the overview so far, likewise. */
  public List<String> listRequests() {
    return listRequests;
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  /** Answers 200 with this body. */
  public static Behaviour body(String body) {
    return (request, jobId, vertx) ->
        request.response().putHeader("Content-Type", "application/json").end(body);
  }

  /** Answers with a graph of this job, after a while. */
  public static Behaviour graphAfter(long millis) {
    return (request, jobId, vertx) -> {
      Buffer body = Buffer.buffer(JobInfo.of(jobId).json());
      if (millis == 0) {
        request.response().end(body);
      } else {
        vertx.setTimer(
            millis,
            t -> {
              if (!request.response().closed()) {
                request.response().end(body);
              }
            });
      }
    };
  }

  /** Answers with a status and nothing else. */
  public static Behaviour status(int status) {
    return (request, jobId, vertx) -> request.response().setStatusCode(status).end();
  }

  /** Never answers. */
  public static Behaviour hang() {
    return (request, jobId, vertx) -> {};
  }

  /** Closes the connection without an answer. */
  public static Behaviour reset() {
    return (request, jobId, vertx) -> request.connection().close();
  }

  /** Sends a byte now and then, for ever. */
  public static Behaviour drip(long everyMillis) {
    return (request, jobId, vertx) -> {
      request.response().setChunked(true).write("{");
      vertx.setPeriodic(
          everyMillis,
          t -> {
            if (request.response().closed()) {
              vertx.cancelTimer(t);
            } else {
              request.response().write(" ");
            }
          });
    };
  }

  /** Streams an endless metrics object as fast as it is read. */
  public static Behaviour endless() {
    return (request, jobId, vertx) -> {
      request.response().setChunked(true).write("{\"jobId\":\"" + jobId + "\",\"metrics\":\"");
      Buffer piece = Buffer.buffer("x".repeat(32 * 1024));
      vertx.setPeriodic(
          1,
          t -> {
            if (request.response().closed()) {
              vertx.cancelTimer(t);
            }
            for (int i = 0; i < 16 && !request.response().closed(); i++) {
              if (!request.response().writeQueueFull()) {
                request.response().write(piece);
              }
            }
          });
    };
  }

  /** Says that it knows nothing of the job, as engines do. */
  public static Behaviour unknown() {
    return (request, jobId, vertx) -> request.response().end("{\"jobId\":\"" + jobId + "\"}");
  }

  /** What {@code future} comes to, waited for on the test's thread. */
  public static <T> T await(io.vertx.core.Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
