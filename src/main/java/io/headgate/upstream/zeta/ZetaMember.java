package io.headgate.upstream.zeta;

import io.headgate.graph.Unavailability;
import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of the cluster: where it is, how to ask it, and the breaker that spares it when it
 * ails (L23, L25). Used on the source's event loop only, but for {@link #breakerState()}.
 */
final class ZetaMember {
  private static final Logger log = LoggerFactory.getLogger(ZetaMember.class);

  /** Answers quickly where the engine is well, since it needs no plan. */
  static final String OVERVIEW = "/overview";

  /** Four failures in twenty seconds open the breaker for five; then one call may probe. */
  private static final int BREAKER_FAILURES = 4;

  private static final long BREAKER_WINDOW_MILLIS = 20_000;
  private static final long BREAKER_OPEN_MILLIS = 5_000;

  private final Vertx vertx;
  private final HttpClient lookups;
  private final HttpClient probes;
  private final HttpClient lists;
  private final RequestOptions common;
  private final String path;
  private final long probeMillis;
  private final CircuitBreaker breaker;
  private final int index;

  /**
   * @param index its place in the configuration; what log lines and metrics call it
   * @param lookups the client for job-info calls
   * @param probes another one, so that a probe never waits behind lookups
   * @param lists a third, so that the reading of lists takes no connection from either
   */
  ZetaMember(
      Vertx vertx,
      int index,
      URI base,
      ZetaConfig config,
      HttpClient lookups,
      HttpClient probes,
      HttpClient lists) {
    this.vertx = vertx;
    this.index = index;
    this.lookups = lookups;
    this.probes = probes;
    this.lists = lists;
    this.probeMillis = config.attemptTimeout().toMillis();
    this.path = base.getRawPath() == null ? "" : base.getRawPath().replaceAll("/+$", "");
    this.common = options(base, config);
    this.breaker =
        CircuitBreaker.create(
            "zeta-" + index,
            vertx,
            new CircuitBreakerOptions()
                .setMaxFailures(BREAKER_FAILURES)
                .setFailuresRollingWindow(BREAKER_WINDOW_MILLIS)
                .setResetTimeout(BREAKER_OPEN_MILLIS)
                .setTimeout(-1)
                .setNotificationAddress(null));
    breaker.openHandler(v -> log.warn("member {}: breaker open", index));
    breaker.closeHandler(v -> log.info("member {}: breaker closed", index));
  }

  private static RequestOptions options(URI base, ZetaConfig config) {
    boolean tls = "https".equals(base.getScheme());
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(base.getHost())
            .setPort(base.getPort() > 0 ? base.getPort() : tls ? 443 : 80)
            .setSsl(tls)
            .setFollowRedirects(false)
            .putHeader(HttpHeaders.ACCEPT, "application/json")
            .putHeader(HttpHeaders.ACCEPT_ENCODING, HttpHeaders.IDENTITY);
    String authorization = basicAuth(config.username(), config.password());
    if (authorization != null) {
      options.putHeader(HttpHeaders.AUTHORIZATION, authorization);
    }
    return options;
  }

  private static @Nullable String basicAuth(@Nullable String user, @Nullable String password) {
    if (user == null || password == null) {
      return null;
    }
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  int index() {
    return index;
  }

  CircuitBreakerState breakerState() {
    return breaker.state();
  }

  /**
   * Lets {@code call} run if the breaker allows it. The call completes its promise normally unless
   * what happened counts against the member.
   *
   * @return fails at once if the breaker is open
   */
  Future<Void> guarded(io.vertx.core.Handler<Promise<Void>> call) {
    return breaker.execute(call);
  }

  /** A request for one job's job-info call, not yet sent; the id has passed L1 (L29). */
  Future<HttpClientRequest> request(long jobId) {
    return lookups.request(get("/job-info/" + jobId));
  }

  /**
   * A request of the reading of lists, not yet sent.
   *
   * @param route one of the engine's own, beginning with a slash (L29)
   */
  Future<HttpClientRequest> listRequest(String route) {
    return lists.request(get(route));
  }

  private RequestOptions get(String route) {
    return new RequestOptions(common).setURI(path + route);
  }

  /**
   * Whether this member answers its overview, which needs no plan: tells a member that ails from a
   * job that can't be read (L23).
   */
  Future<Boolean> answersOverview() {
    Promise<Boolean> answers = Promise.promise();
    long timer = vertx.setTimer(probeMillis, t -> answers.tryComplete(false));
    probes
        .request(get(OVERVIEW))
        .compose(
            request -> {
              answers.future().onSuccess(usable -> release(request, usable));
              return request.send();
            })
        .onComplete(
            response -> {
              vertx.cancelTimer(timer);
              if (response.succeeded()) {
                response.result().exceptionHandler(cut -> {});
              }
              answers.tryComplete(response.succeeded() && response.result().statusCode() == 200);
            });
    return answers.future();
  }

  private static void release(HttpClientRequest request, boolean usable) {
    if (!usable) {
      request.reset(); // else the small body is read to its end and the connection kept
    }
  }

  void close() {
    breaker.close();
  }

  /** What a status other than 200 says (L21). */
  static Unavailability reasonOf(int status) {
    return status == 401 || status == 403
        ? Unavailability.UPSTREAM_AUTH
        : Unavailability.UPSTREAM_STATUS;
  }
}
