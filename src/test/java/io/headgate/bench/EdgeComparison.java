package io.headgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What the edge costs, as ratios of server CPU time a request: two servers in processes of their
 * own, the same load on one and the other in turn, the median of the pairs.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=edge
 * }</pre>
 *
 * <p>Ratios P1, P4, P5 and P10 of the evidence list. Needs {@code /proc}.
 */
public final class EdgeComparison {
  private static final int PAIRS = 7;
  private static final String LINEAGE = "/job-lineage/" + LoadServer.JOB;

  private EdgeComparison() {}

  record Side(String name, Server server, String request) {}

  private record Cost(double micros, double perSecond, double megabytes) {}

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try (Server small = new Server("gateway", "62");
        Server large = new Server("gateway", "9000");
        Server busy = new Server("busy");
        Server bare404 = new Server("bare404")) {
      String poll = LoadClient.get(LINEAGE);
      long smallBody = bodyLength(vertx, small, poll);
      long largeBody = bodyLength(vertx, large, poll);
      System.out.printf("bodies: %d and %d bytes%n", smallBody, largeBody);
      try (Server bareSame = new Server("bare", Long.toString(smallBody));
          Server bareLarge = new Server("bare", Long.toString(largeBody))) {
        Side recent = new Side("recent 200", small, poll);
        Side bare = new Side("bare 200", bareSame, poll);
        compare(vertx, "P1", recent, bare, 1, 60_000);
        compare(vertx, "P1", recent, bare, 16, 160_000);
        String conditional = LoadClient.get(LINEAGE, "If-None-Match: *\r\n");
        compare(vertx, "P4", new Side("304", small, conditional), recent, 1, 60_000);
        compare(vertx, "P4", new Side("304", small, conditional), recent, 16, 160_000);
        NetClient waiting = vertx.createNetClient();
        occupyPermits(waiting, busy);
        String other = LoadClient.get("/job-lineage/99");
        Side refusal = new Side("503", busy, other);
        compare(vertx, "P5", refusal, new Side("bare 404", bare404, other), 1, 60_000);
        Side big = new Side("large 200", large, poll);
        Side bigBare = new Side("bare large 200", bareLarge, poll);
        compare(vertx, "P10", big, bigBare, 1, 1_500);
        compare(vertx, "P4", new Side("304 of large", large, conditional), big, 1, 3_000);
        waiting.close(); // not before: Vert.x closes a client that nobody refers to any more
      }
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static long bodyLength(Vertx vertx, Server server, String request) throws Exception {
    try (LoadClient client = new LoadClient(vertx, server.port, request, 1)) {
      return client.answerBytes() - 215;
    }
  }

  private static void occupyPermits(NetClient waiting, Server busy) {
    for (int i = 1; i <= 4; i++) {
      String request = LoadClient.get("/job-lineage/" + i);
      waiting.connect(busy.port, "127.0.0.1").onSuccess(socket -> socket.write(request));
    }
  }

  static void compare(Vertx vertx, String id, Side one, Side other, int depth, long requests)
      throws Exception {
    List<Cost> ones = new ArrayList<>();
    List<Cost> others = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    measure(vertx, one, depth, requests);
    measure(vertx, other, depth, requests);
    for (int i = 0; i < PAIRS; i++) {
      Cost a = measure(vertx, one, depth, requests);
      Cost b = measure(vertx, other, depth, requests);
      ones.add(a);
      others.add(b);
      ratios.add(a.micros / b.micros);
    }
    System.out.printf(
        Locale.ROOT,
        "%-4s depth %2d  %-14s %7.1f us CPU %8.0f/s %7.1f MB/s | %-14s %7.1f us CPU %8.0f/s %7.1f"
            + " MB/s | CPU ratio %.2f (%.2f to %.2f)%n",
        id,
        depth,
        one.name,
        median(ones.stream().map(Cost::micros).toList()),
        median(ones.stream().map(Cost::perSecond).toList()),
        median(ones.stream().map(Cost::megabytes).toList()),
        other.name,
        median(others.stream().map(Cost::micros).toList()),
        median(others.stream().map(Cost::perSecond).toList()),
        median(others.stream().map(Cost::megabytes).toList()),
        median(ratios),
        ratios.stream().mapToDouble(r -> r).min().orElse(0),
        ratios.stream().mapToDouble(r -> r).max().orElse(0));
  }

  private static Cost measure(Vertx vertx, Side side, int depth, long requests) throws Exception {
    try (LoadClient client = new LoadClient(vertx, side.server.port, side.request, depth)) {
      double cpuBefore = side.server.cpuSeconds();
      double seconds = client.run(16, requests);
      double cpu = side.server.cpuSeconds() - cpuBefore;
      return new Cost(
          cpu * 1e6 / requests,
          requests / seconds,
          requests * (double) client.answerBytes() / seconds / 1e6);
    }
  }

  static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** A {@link LoadServer} in its own process. */
  static final class Server implements AutoCloseable {
    final int port;
    private final Process process;

    Server(String... arguments) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LoadServer.class.getName()));
      command.addAll(List.of(arguments));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
      if (line == null) {
        throw new IOException("the server did not start");
      }
      port = Integer.parseInt(line.trim());
    }

    /** User and system time so far; the kernel counts it in hundredths of a second. */
    double cpuSeconds() throws IOException {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      process.destroyForcibly();
    }
  }
}
