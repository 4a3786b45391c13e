package io.headgate.observe.trace;

import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.observe.access.RequestRecord;
import io.headgate.observe.access.RequestTracer;
import io.headgate.observe.access.RouteNames;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends traces over OTLP (HTTP, Protocol Buffers). OpenTelemetry configures itself by its own
 * variables, such as {@code OTEL_EXPORTER_OTLP_ENDPOINT} and {@code OTEL_TRACES_SAMPLER}; what they
 * leave open is from {@link TracesConfig}. Nothing of it is made global.
 *
 * <p>Used by one thread at a time, the one that writes access lines. Sending is done by
 * OpenTelemetry's own threads: one that gathers batches, and those of the JDK's HTTP client.
 */
public final class OtlpTracer implements RequestTracer {
  /** OpenTelemetry's own default for what waits in its processor. */
  private static final int PLACES = 2048;

  private static final String QUEUE = "otel.bsp.max.queue.size";

  /**
   * It would print a stack trace for batches that fail; we say and count that ourselves. Kept here,
   * or the setting would be forgotten with the logger.
   */
  private static final Logger NOISE = Logger.getLogger("io.opentelemetry.exporter.internal");

  private static final TextMapGetter<RequestRecord.Head> HEADERS =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(RequestRecord.Head head) {
          return List.of("traceparent");
        }

        @Override
        public @Nullable String get(RequestRecord.@Nullable Head head, String key) {
          return head != null && key.equals("traceparent") ? head.traceParent() : null;
        }
      };

  private final OpenTelemetrySdk sdk;
  private final Tracer tracer;
  private final SpanRoom room;

  private OtlpTracer(OpenTelemetrySdk sdk, SpanRoom room) {
    this.sdk = sdk;
    this.room = room;
    tracer = sdk.getTracer("io.headgate");
  }

  /**
   * Sets OpenTelemetry up. Loads some hundred classes, so it is not for an event loop.
   *
   * @throws RuntimeException if its variables make no sense
   */
  public static OtlpTracer open(TracesConfig config, Meters meters) {
    NOISE.setLevel(Level.OFF);
    PacedLog log = new PacedLog(System::nanoTime);
    AtomicReference<SpanRoom> room = new AtomicReference<>(new SpanRoom(0, log));
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> defaults(config))
            .addPropertiesCustomizer(OtlpTracer::fixed)
            .addSpanExporterCustomizer(
                (exporter, properties) -> {
                  SpanRoom made = new SpanRoom(properties.getInt(QUEUE, PLACES), log);
                  room.set(made);
                  return made.over(exporter);
                })
            .build()
            .getOpenTelemetrySdk();
    SpanRoom used = Objects.requireNonNull(room.get());
    observe(used, meters);
    return new OtlpTracer(sdk, used);
  }

  /** What OpenTelemetry's own variables override. */
  private static Map<String, String> defaults(TracesConfig config) {
    Map<String, String> properties = new HashMap<>();
    properties.put("otel.service.name", "headgate");
    properties.put("otel.traces.sampler", "parentbased_traceidratio");
    properties.put("otel.traces.sampler.arg", Double.toString(config.perMille() / 1000.0));
    if (config.endpoint() != null) {
      properties.put("otel.exporter.otlp.endpoint", config.endpoint());
    }
    return properties;
  }

  /** What is so whatever they say: traces only, over the one protocol that is on the class path. */
  private static Map<String, String> fixed(ConfigProperties properties) {
    return Map.of(
        "otel.traces.exporter",
        "otlp",
        "otel.metrics.exporter",
        "none",
        "otel.logs.exporter",
        "none",
        "otel.exporter.otlp.protocol",
        "http/protobuf",
        "otel.exporter.otlp.traces.protocol",
        "http/protobuf",
        QUEUE,
        Integer.toString(properties.getInt(QUEUE, PLACES)));
  }

  private static void observe(SpanRoom room, Meters meters) {
    meters.gauge("headgate.traces.waiting", "Spans not yet sent.", room::waiting);
    String name = "headgate.traces.spans";
    String description = "Spans by what became of them.";
    meters.counter(name, description, room::sent, "outcome", "sent");
    meters.counter(name, description, room::failed, "outcome", "failed");
    meters.counter(name, description, room::dropped, "outcome", "dropped");
  }

  @Override
  public @Nullable String trace(
      RequestRecord request, RouteNames.@Nullable Named route, long epochNanos) {
    RequestSpans spans = new RequestSpans(tracer, request, route, epochNanos);
    Context parent =
        W3CTraceContextPropagator.getInstance().extract(Context.root(), request.head(), HEADERS);
    Span span = spans.begin(parent);
    if (!span.getSpanContext().isSampled()) {
      return Span.fromContext(parent).getSpanContext().isValid()
          ? span.getSpanContext().getTraceId()
          : null;
    }
    int most = spans.most();
    if (room.take(most)) {
      room.giveBack(most - spans.end(span));
    } // else the span is never ended, and so never sent
    return span.getSpanContext().getTraceId();
  }

  @Override
  public CompletionStage<Void> close() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    CompletableResultCode result = sdk.getSdkTracerProvider().shutdown();
    result.whenComplete(() -> closed.complete(null));
    return closed;
  }
}
