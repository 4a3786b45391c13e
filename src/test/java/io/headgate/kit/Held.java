package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What a gateway gives back when nobody asks it anything any more. */
final class Held {
  private static final List<String> GAUGES =
      List.of(
          "headgate_permits_used",
          "headgate_flights",
          "headgate_flights_waiting",
          "headgate_workers_active",
          "headgate_workers_queued",
          "headgate_unwritten_bytes",
          "headgate_upstream_open",
          "headgate_store_open");

  private Held() {}

  /**
   * Waits until nothing is held: permits, flights, waiters, upstream calls, unwritten bytes, calls
   * to the cluster.
   *
   * @param metrics asks for them, as Prometheus prints them
   */
  static void awaitNothing(Supplier<String> metrics, Duration atMost) {
    await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () ->
                assertThat(metrics.get().lines())
                    .as("held")
                    .filteredOn(line -> GAUGES.contains(line.replaceFirst("[{ ].*", "")))
                    .filteredOn(line -> !line.endsWith(" 0.0"))
                    .isEmpty());
  }
}
