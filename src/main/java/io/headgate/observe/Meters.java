package io.headgate.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The meters of one deployment. Names follow Micrometer's convention ({@code
 * headgate.permits.used}) and appear in Prometheus' ({@code headgate_permits_used}, counters with
 * {@code _total}).
 *
 * <p>Labels come from closed sets only: route, code, member index, reason; never a job, a table, a
 * user or a path. Safe on any thread.
 */
public final class Meters implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** The registry refers to a counter's supplier weakly; this keeps it. */
  private final Queue<LongSupplier> counters = new ConcurrentLinkedQueue<>();

  public Meters() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /** A value that goes up and down, read when scraped. */
  public void gauge(
      String name, String description, Supplier<? extends Number> value, String... labels) {
    Gauge.builder(name, value::get).description(description).tags(labels).register(registry);
  }

  /** A value that only grows, read when scraped. */
  public void counter(String name, String description, LongSupplier value, String... labels) {
    counters.add(value);
    FunctionCounter.builder(name, value, LongSupplier::getAsLong)
        .description(description)
        .tags(labels)
        .register(registry);
  }

  /** The word of a constant in labels and log lines: {@code NO_PLACE} is {@code no-place}. */
  public static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All of them in Prometheus' text format. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
