package io.headgate.upstream.zeta;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.JobLister;
import io.headgate.graph.JobListing;
import io.headgate.graph.Lookup;
import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.observe.SourceHealth;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Reads graphs from a real SeaTunnel Zeta cluster (L25 to L29).
 *
 * <h2>Which member</h2>
 *
 * Lookups begin with the member that answered last, so that a member that is down costs nothing
 * once it is known to be; the others follow in their configured order.
 *
 * <h2>Threads</h2>
 *
 * Everything runs on one event loop, that of the context it was made on: sockets, timers, the state
 * of lookups, and the pass over bodies as they stream in. Parsing the kept part of a body is a task
 * for {@code workers}, one at a time for one lookup. {@link #lookup} may be called on any thread.
 *
 * <h2>Bounds</h2>
 *
 * One call a lookup and member, as many connections to a member as there can be lookups, no queue
 * in front of them.
 */
public final class ZetaJobSource implements JobGraphSource, JobLister, SourceHealth {
  private static final int CONNECT_MILLIS = 1_000;

  /** Shorter than the idle limit of the engine's Jetty, so that we close first. */
  private static final int KEEP_ALIVE_SECONDS = 10;

  final Vertx vertx;
  final Context context;
  final ZetaConfig config;
  final JobInfoParser parser;
  final Executor workers;
  final PacedLog log = new PacedLog(System::nanoTime);

  private final List<HttpClient> clients = new ArrayList<>();
  private final List<ZetaMember> members = new ArrayList<>();
  private final List<AttemptMeters> meters = new ArrayList<>();
  private final Set<ZetaLookup> underWay = new HashSet<>();
  private final ZetaJobLists lists;
  private int preferred;
  private boolean closed;

  /**
   * Makes a source on the current context, which must be an event loop's.
   *
   * @param workers where bodies are parsed
   */
  public ZetaJobSource(
      Vertx vertx, ZetaConfig config, GraphLimits limits, Executor workers, Meters registry) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.config = config;
    this.parser = new JobInfoParser(limits);
    this.workers = workers;
    for (int i = 0; i < config.members().size(); i++) {
      ZetaMember member =
          new ZetaMember(
              vertx,
              i,
              config.members().get(i),
              config,
              client(config.connections(), 0),
              client(1, 0),
              // The next list is asked for when the last byte of one is there, which is just before
              // its connection is free.
              client(1, 1));
      members.add(member);
      meters.add(new AttemptMeters(registry, member));
    }
    lists = new ZetaJobLists(this, limits.stringBytes());
  }

  private HttpClient client(int connections, int waiting) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout(CONNECT_MILLIS)
            .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
            .setDecompressionSupported(false)
            .setVerifyHost(config.verifyHost());
    String trust = config.trustCertificate();
    if (trust != null) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(trust));
    }
    PoolOptions pool = new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(waiting);
    HttpClient client =
        vertx
            .httpClientBuilder()
            .with(options)
            .with(pool)
            // Calls fail by themselves; that an idle connection broke is worth no error line.
            .withConnectHandler(connection -> connection.exceptionHandler(broken -> {}))
            .build();
    clients.add(client);
    return client;
  }

  @Override
  public Call<Lookup> lookup(long jobId, Deadline deadline) {
    ZetaLookup lookup = new ZetaLookup(this, jobId, deadline);
    context.runOnContext(
        v -> {
          underWay.add(lookup);
          if (closed) {
            lookup.cut();
          } else {
            lookup.start();
          }
        });
    return new Call<>(lookup.answer, lookup.ended, lookup::visits);
  }

  @Override
  public Call<JobListing> list(int most, Deadline deadline) {
    return lists.list(most, deadline);
  }

  /** The members in the order to try them; on the event loop. */
  List<Integer> memberOrder() {
    List<Integer> order = new ArrayList<>(members.size());
    for (int i = 0; i < members.size(); i++) {
      order.add((preferred + i) % members.size());
    }
    return order;
  }

  ZetaMember member(int index) {
    return members.get(index);
  }

  ZetaAttempt attempt(int member, ZetaAttempt.Listener listener) {
    return new ZetaAttempt(
        vertx, members.get(member), config.maxBodyBytes(), meters.get(member), log, listener);
  }

  void answeredBy(int member) {
    preferred = member;
  }

  void ended(ZetaLookup lookup) {
    underWay.remove(lookup);
  }

  @Override
  public List<Status> members() {
    return members.stream()
        .map(member -> member.breakerState() == CircuitBreakerState.CLOSED)
        .map(usable -> usable ? Status.USABLE : Status.SPARED)
        .toList();
  }

  /** Cuts what is open, so that every lookup ends, and closes the connections. On any thread. */
  public Future<Void> close() {
    Promise<Void> cut = Promise.promise();
    context.runOnContext(
        v -> {
          closed = true;
          List.copyOf(underWay).forEach(ZetaLookup::cut);
          lists.close();
          members.forEach(ZetaMember::close);
          cut.complete();
        });
    return cut.future()
        .compose(v -> Future.join(clients.stream().map(HttpClient::close).toList()))
        .mapEmpty();
  }
}
