package io.headgate.edge.fn;

import io.headgate.edge.CertificateWatch;
import io.headgate.edge.FileWatch;
import io.headgate.edge.ServerCertificate;
import io.headgate.edge.guard.ConnectionGate;
import io.headgate.edge.guard.GuardLimits;
import io.headgate.edge.guard.GuardedHttpServer;
import io.headgate.fn.ContextLoop;
import io.headgate.fn.FnAuth;
import io.headgate.fn.FnConfig;
import io.headgate.fn.FnCore;
import io.headgate.fn.FnRunner;
import io.headgate.fn.v1.DescriptorReader;
import io.headgate.fn.v1.FnServices;
import io.headgate.fn.v1.HarnessCall;
import io.headgate.graph.GraphLimits;
import io.headgate.observe.Meters;
import io.headgate.state.BundleStateStore;
import io.headgate.state.DescriptorStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port that harnesses connect to, and the loop that everything of the Fn API runs on. Deploy
 * one instance: streams of one harness come on several connections and meet here. Where the port is
 * off, it does for runners what needs no harness.
 */
public final class FnVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(FnVerticle.class);

  /** The largest data messages of harnesses have a megabyte and a few hundred bytes. */
  private static final int MOST_MESSAGE_BYTES = 4 << 20;

  private static final int STREAMS = 100;
  private static final int HEADER_BYTES = 8_192;
  private static final int RESETS = 200;
  private static final int RESET_SECONDS = 30;

  /** What is under way at a stop has this long to finish. */
  private static final Duration STOP = Duration.ofSeconds(9);

  /** A harness that is gone without a word is noticed after two of these. */
  private static final long PING_MILLIS = 15_000;

  private static final int UNSUPPORTED_MEDIA_TYPE = 415;
  private static final int HTTP_VERSION_NOT_SUPPORTED = 505;
  private static final String HTTP_2_ONLY = "This port takes gRPC over HTTP/2 only.\n";

  /** Messages are Protocol Buffers and nothing else. */
  private static final Set<String> TYPES = Set.of("application/grpc", "application/grpc+proto");

  private static final Set<String> PATHS =
      Stream.concat(
              Stream.of(HealthCheck.PATH),
              Arrays.stream(FnServices.Service.values())
                  .map(service -> "/" + service.fullName() + "/" + service.method()))
          .collect(Collectors.toUnmodifiableSet());

  private static final GuardLimits GUARDS =
      new GuardLimits(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(30), 100);

  private final FnConfig config;
  private final FnFiles files;
  private final GraphLimits graphLimits;
  private final DescriptorStore descriptors;
  private final BundleStateStore state;
  private final Executor workers;
  private final Meters meters;
  private final ConnectionGate gate;
  private final MessageRoom room = new MessageRoom(share(4));
  private final Unwritten unwritten = new Unwritten(share(8));
  private final LongAdder unauthenticated = new LongAdder();
  private volatile @Nullable HttpServer server;
  private volatile @Nullable FnCore core;
  private @Nullable FnServices services;
  private @Nullable GrpcServer grpc;
  private @Nullable HttpServerRequest arriving;
  private @Nullable String subject;
  private @Nullable CertificateWatch watch;
  private @Nullable FileWatch keySetWatch;
  private volatile @Nullable BearerTokens tokens;
  private boolean serving;
  private boolean stopped;

  /**
   * @param workers where descriptors are read; may refuse
   */
  public FnVerticle(
      FnConfig config,
      FnFiles files,
      GraphLimits graphLimits,
      DescriptorStore descriptors,
      BundleStateStore state,
      Executor workers,
      Meters meters) {
    this.config = config;
    this.files = files;
    tokens = files.tokens();
    this.graphLimits = graphLimits;
    this.descriptors = descriptors;
    this.state = state;
    this.workers = workers;
    this.meters = meters;
    gate = new ConnectionGate(config.maxConnections());
  }

  /** A part of the heap. */
  private static long share(int part) {
    return Runtime.getRuntime().maxMemory() / part;
  }

  @Override
  public Future<?> start() {
    if (!config.enabled()) {
      serve(config.port()); // for runners alone: descriptors are those of all gateways
      return Future.succeededFuture();
    }
    HttpServer listener =
        GuardedHttpServer.create(vertx, options(), GUARDS, gate)
            .connectionHandler(connection -> Keepalive.watch(vertx, connection, PING_MILLIS));
    server = listener;
    return listener
        .requestHandler(this::handle)
        .listen()
        .onSuccess(open -> serve(open.actualPort()));
  }

  /** Descriptors carry the port, so nobody is served before it is known. */
  private void serve(int port) {
    FnAuth auth = config.auth();
    DescriptorReader.Ports ports =
        new DescriptorReader.Ports(
            config.inputUrns(),
            config.outputUrns(),
            config.advertisedUrl(port),
            auth == null ? null : auth.tokenUrl());
    FnCore opened =
        new FnCore(
            config.limits(),
            new ContextLoop(vertx, context),
            new DescriptorReader(ports, graphLimits, config.descriptorBytes()),
            descriptors,
            state,
            workers);
    opened.observe(meters);
    meters.gauge("headgate.fn.connections", "Connections to the Fn port.", gate::open);
    meters.counter("headgate.fn.connections.refused", "One too many.", gate::refused);
    meters.counter(
        "headgate.fn.streams.unauthenticated", "Without a valid token.", unauthenticated::sum);
    meters.gauge("headgate.fn.arriving.bytes", "Set aside for messages.", room::sum);
    meters.gauge("headgate.fn.unwritten.bytes", "Not yet written.", unwritten::sum);
    meters.counter("headgate.fn.messages.cut", "Given up for want of room.", room::givenUp);
    opened.start();
    core = opened;
    services = new FnServices(opened);
    grpc = grpc(services);
    if (server != null) {
      watchCertificate();
      watchKeySet();
    }
    serving = true;
  }

  private void watchCertificate() {
    String certificate = config.certificate();
    String key = config.key();
    if (certificate != null && key != null) {
      watch = new CertificateWatch(vertx, "fn.tls", certificate, key, this::replaceCertificate);
    }
  }

  private void watchKeySet() {
    FnAuth auth = config.auth();
    if (auth != null) {
      keySetWatch =
          new FileWatch(
              vertx,
              "headgate-fn-keys",
              "fn.auth.keySet",
              "key set",
              List.of(auth.keySet()),
              () -> tokens = BearerTokens.read(auth));
    }
  }

  private void replaceCertificate(ServerCertificate pair) {
    HttpServer listener = server;
    if (listener != null) {
      ServerSSLOptions options = new ServerSSLOptions();
      options
          .setKeyCertOptions(pair.options())
          .setUseAlpn(true)
          .setApplicationLayerProtocols(List.of("h2", "http/1.1"));
      listener
          .updateSSLOptions(options)
          .onFailure(failure -> log.warn("fn.tls: {}", failure.getClass().getName()));
    }
  }

  private GrpcServer grpc(FnServices all) {
    GrpcServer calls =
        GrpcServer.server(
            vertx,
            new GrpcServerOptions()
                .setMaxMessageSize(MOST_MESSAGE_BYTES)
                .removeEnabledProtocol(GrpcProtocol.WEB)
                .removeEnabledProtocol(GrpcProtocol.WEB_TEXT)
                .removeEnabledProtocol(GrpcProtocol.TRANSCODING));
    for (FnServices.Service service : FnServices.Service.values()) {
      calls.callHandler(
          ServiceMethod.server(
              ServiceName.create(service.fullName()),
              service.method(),
              GrpcMessageEncoder.IDENTITY,
              GrpcMessageDecoder.IDENTITY),
          request -> open(all, service, request));
    }
    HealthCheck health = new HealthCheck(vertx, () -> serving);
    return calls.callHandler(HealthCheck.method(), request -> health.handle(arrived(), request));
  }

  /** Vert.x gRPC calls {@link #open} before this returns, so it finds what it is made of. */
  private void handle(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      refuseVersion(request);
      return;
    }
    GrpcServer calls = grpc;
    if (calls == null || stopped) {
      refuse(request, GrpcStatus.UNAVAILABLE);
      return;
    }
    if (!PATHS.contains(request.path())) {
      refuse(request, GrpcStatus.UNIMPLEMENTED);
      return;
    }
    if (!isGrpc(request.getHeader(HttpHeaders.CONTENT_TYPE))) {
      request.response().setStatusCode(UNSUPPORTED_MEDIA_TYPE);
      refuse(request, GrpcStatus.INVALID_ARGUMENT);
      return;
    }
    String coding = request.getHeader("grpc-encoding");
    if (coding != null && !coding.equals("identity")) {
      // A few bytes may unpack to any number of them, and no harness packs.
      refuse(request, GrpcStatus.UNIMPLEMENTED);
      return;
    }
    BearerTokens checked = tokens;
    subject = null;
    if (checked != null && !HealthCheck.PATH.equals(request.path())) {
      subject = checked.subject(request.getHeader(HttpHeaders.AUTHORIZATION));
      if (subject == null) {
        unauthenticated.increment();
        refuse(request, GrpcStatus.UNAUTHENTICATED);
        return;
      }
    }
    // Makes a message that says it is packed an unreadable one instead of a fault in Vert.x.
    request.headers().set("grpc-encoding", "identity");
    arriving = request;
    try {
      calls.handle(request);
    } finally {
      arriving = null;
    }
  }

  private static boolean isGrpc(@Nullable String contentType) {
    return contentType != null && TYPES.contains(contentType);
  }

  /** No call: a browser or a probe that took this port for another. Nothing of it is read. */
  private static void refuseVersion(HttpServerRequest request) {
    request
        .response()
        .setStatusCode(HTTP_VERSION_NOT_SUPPORTED)
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(HTTP_2_ONLY)
        .onComplete(done -> request.connection().close());
  }

  private static void refuse(HttpServerRequest request, GrpcStatus status) {
    GrpcCall.leave(
        request,
        request
            .response()
            .putHeader("content-type", "application/grpc")
            .putHeader("grpc-status", status.toString())
            .end());
  }

  private void open(
      FnServices all, FnServices.Service service, GrpcServerRequest<Buffer, Buffer> request) {
    GrpcCall call = new GrpcCall(arrived(), request, subject, MOST_MESSAGE_BYTES, room, unwritten);
    if (!serving && service == FnServices.Service.CONTROL) {
      call.end(HarnessCall.Ending.UNAVAILABLE); // the other streams may be for what is under way
    } else {
      all.open(service, call);
    }
  }

  private HttpServerRequest arrived() {
    HttpServerRequest http = arriving;
    if (http == null) {
      throw new IllegalStateException("a call without its request");
    }
    return http;
  }

  private HttpServerOptions options() {
    Windows windows = Windows.of(share(1));
    HttpServerOptions options = new HttpServerOptions();
    if (files.certificate() != null) {
      options.setSsl(true).setUseAlpn(true).setKeyCertOptions(files.certificate().options());
    }
    return options
        .setHost(config.host())
        .setPort(config.port())
        .setCompressionSupported(false)
        .setDecompressionSupported(false)
        .setMaxHeaderSize(HEADER_BYTES)
        .setTcpNoDelay(true)
        .setHttp2ConnectionWindowSize(windows.connection())
        .setHttp2RstFloodMaxRstFramePerWindow(RESETS)
        .setHttp2RstFloodWindowDuration(RESET_SECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setPushEnabled(false)
                .setMaxConcurrentStreams(STREAMS)
                .setInitialWindowSize(windows.stream())
                .setMaxHeaderListSize(HEADER_BYTES));
  }

  @Override
  public Future<?> stop() {
    serving = false;
    if (watch != null) {
      watch.close();
    }
    if (keySetWatch != null) {
      keySetWatch.close();
    }
    HttpServer listener = server;
    FnCore opened = core;
    if (opened == null) {
      return Future.succeededFuture();
    }
    Promise<Void> finished = Promise.promise();
    opened.stop(STOP, finished::complete);
    return finished
        .future()
        .compose(
            v -> {
              stopped = true;
              if (services != null) {
                services.stop();
              }
              return listener == null
                  ? Future.succeededFuture()
                  : listener.shutdown(1, TimeUnit.SECONDS);
            });
  }

  /** The port it listens on, once started, or -1. */
  public int actualPort() {
    return server == null ? -1 : server.actualPort();
  }

  /** What a runner does with the harnesses; once started. */
  public FnRunner runner() {
    FnCore opened = core;
    if (opened == null) {
      throw new IllegalStateException("not started");
    }
    return new FnRunner(opened, vertx);
  }
}
