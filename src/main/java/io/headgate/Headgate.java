package io.headgate;

import io.headgate.edge.ListenerFiles;
import io.headgate.edge.fn.FnFiles;
import io.headgate.observe.access.StreamOutput;
import io.headgate.state.ClusterStartException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program: {@code java -jar headgate.jar [--config FILE] [--check] [--version] [--help]}.
 *
 * <p>Exit codes: 0 after a stop by signal and for {@code --check} without faults, 1 if it can't
 * listen or read, 2 for a fault in the configuration or the command line, 70 after a fatal error of
 * the JVM.
 */
public final class Headgate {
  private static final Logger log = LoggerFactory.getLogger(Headgate.class);
  private static final Path DEFAULT_FILE = Path.of("conf", "headgate.yaml");
  private static final int CAN_NOT_RUN = 1;
  private static final int BAD_CONFIGURATION = 2;
  private static final int JVM_BROKEN = 70;

  /** In-flight requests get ten seconds, leaving the cluster nine; what is left is closing. */
  private static final long STOP_SECONDS = 20;

  private static final String HELP =
      """
      Headgate, a gateway to the lineage of streaming jobs.

      java -jar headgate.jar [--config FILE] [--check] [--version] [--help]

        --config FILE  read FILE instead of conf/headgate.yaml
        --check        print every fault of the configuration; exit 0 or 2
        --version      print the version
        --help         print this

      Environment variables override the file: HEADGATE_HTTP_PORT is http.port.
      docs/configuration.md lists every key.
      """;

  private Headgate() {}

  /** Runs the program. */
  public static void main(String[] args) {
    refuseRenegotiation();
    setUnlessGiven(
        "hazelcast.logging.type", "slf4j"); // for what is logged before a member has settings
    int code = run(args, System.getenv());
    if (code >= 0) {
      System.exit(code);
    }
  }

  /**
   * Else a TLS 1.2 client may have us sign again and again on one connection (CVE-2011-1473). The
   * JDK reads the property once, before the first handshake; an operator's own setting stays.
   */
  private static void refuseRenegotiation() {
    setUnlessGiven("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  private static void setUnlessGiven(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Runs the program; returns an exit code, or -1 if a gateway is running now. */
  private static int run(String[] args, Map<String, String> environment) {
    Path file = Files.exists(DEFAULT_FILE) ? DEFAULT_FILE : null;
    boolean check = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--help", "-h" -> {
          System.out.print(HELP);
          return 0;
        }
        case "--version" -> {
          System.out.println("headgate " + version());
          return 0;
        }
        case "--check" -> check = true;
        case "--config" -> {
          if (++i == args.length) {
            System.err.println("--config: none (expected: a file)");
            return BAD_CONFIGURATION;
          }
          file = Path.of(args[i]);
        }
        default -> {
          System.err.println(
              args[i] + ": unknown option (expected: --config FILE, --check, --version, --help)");
          return BAD_CONFIGURATION;
        }
      }
    }
    ConfigLoader loader = new ConfigLoader(file, environment);
    HeadgateConfig config;
    try {
      config = loader.load();
    } catch (ConfigException e) {
      e.faults().forEach(System.err::println);
      return BAD_CONFIGURATION;
    } catch (IOException e) {
      System.err.println("--config: " + file + " can't be read (expected: a readable file)");
      return BAD_CONFIGURATION;
    }
    Vertx vertx = Vertx.vertx();
    try {
      ListenerFiles.read(vertx, config.http());
      FnFiles.read(vertx, config.fn());
    } catch (ListenerFiles.UnusableException e) {
      System.err.println(e.getMessage());
      vertx.close();
      return BAD_CONFIGURATION;
    }
    if (check) {
      vertx.close();
      System.out.println("configuration: " + loader.origin() + ", no faults");
      return 0;
    }
    log.info("headgate {} with {}: {}", version(), loader.origin(), loader.summary());
    return start(vertx, config);
  }

  private static int start(Vertx vertx, HeadgateConfig config) {
    if (!config.http().isLoopback()
        && (config.http().usersFile() == null || !config.http().tls())) {
      log.warn("http.host is beyond loopback, without users or without TLS");
    }
    Thread.setDefaultUncaughtExceptionHandler(Headgate::uncaught);
    HeadgateVerticle gateway =
        new HeadgateVerticle(config).printingTo(new StreamOutput(System.out));
    try {
      vertx.deployVerticle(gateway).toCompletionStage().toCompletableFuture().join();
    } catch (java.util.concurrent.CompletionException e) {
      Throwable cause = e.getCause();
      System.err.println(whyNotStarted(cause == null ? e : cause, config));
      vertx.close();
      return CAN_NOT_RUN;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(vertx), "headgate-stop"));
    String address =
        (config.http().tls() ? "https://" : "http://")
            + config.http().host()
            + ":"
            + gateway.port()
            + config.http().basePath();
    if (gateway.fnPort() >= 0) {
      log.info("harnesses connect to {}", config.fn().advertisedUrl(gateway.fnPort()));
    }
    log.info("listening on {}", address);
    log.info("the page for operators is {}/ui/", address); // last: it is looked for in terminals
    return -1;
  }

  private static String whyNotStarted(Throwable cause, HeadgateConfig config) {
    if (cause instanceof BindException) {
      return "http.port: "
          + config.http().port()
          + " can't be bound on http.host "
          + config.http().host()
          + " (is it taken? is that an address of this machine?)";
    }
    String message = String.valueOf(cause.getMessage());
    boolean forOperators =
        cause instanceof ClusterStartException || cause instanceof FnPort.NotBoundException;
    return forOperators ? message : "can't start: " + message;
  }

  /** Runs as a shutdown hook, and so decides the exit code: a stop by signal is no failure. */
  private static void stop(Vertx vertx) {
    log.info("stopping");
    int code = 0;
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
      log.info("stopped");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      code = CAN_NOT_RUN;
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      log.error("did not stop in {} s", STOP_SECONDS);
      code = CAN_NOT_RUN;
    }
    Runtime.getRuntime().halt(code);
  }

  private static void uncaught(Thread thread, Throwable failure) {
    try {
      log.error("{} ended by {}", thread.getName(), failure.getClass().getName());
    } finally {
      if (failure instanceof VirtualMachineError) {
        Runtime.getRuntime().halt(JVM_BROKEN); // even if there is no memory left to say so
      }
    }
  }

  private static String version() {
    Properties build = new Properties();
    try (@Nullable InputStream in = Headgate.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      log.debug("no build.properties");
    }
    return build.getProperty("version", "unknown");
  }
}
