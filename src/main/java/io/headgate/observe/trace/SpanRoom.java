package io.headgate.observe.trace;

import io.headgate.observe.PacedLog;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bounds the spans that wait or are being sent, and counts what became of them. Stands between
 * OpenTelemetry's batch processor and the exporter; the room is as large as the processor's queue,
 * so that never overflows, and a trace goes whole or not at all. Safe on any thread.
 */
final class SpanRoom {
  private final int places;
  private final PacedLog log;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder sent = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder dropped = new LongAdder();

  SpanRoom(int places, PacedLog log) {
    this.places = places;
    this.log = log;
  }

  /** Whether there is room for these; if so it is taken, else they are counted as dropped. */
  boolean take(int spans) {
    if (waiting.addAndGet(spans) <= places) {
      return true;
    }
    waiting.addAndGet(-spans);
    dropped.add(spans);
    return false;
  }

  /** Gives room back that was taken for spans that are not made. */
  void giveBack(int spans) {
    waiting.addAndGet(-spans);
  }

  /** The same exporter, giving room back when a batch has been sent or has failed. */
  SpanExporter over(SpanExporter exporter) {
    return new SpanExporter() {
      @Override
      public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> ended(count, result.isSuccess()));
        return result;
      }

      @Override
      public CompletableResultCode flush() {
        return exporter.flush();
      }

      @Override
      public CompletableResultCode shutdown() {
        return exporter.shutdown();
      }
    };
  }

  private void ended(int count, boolean success) {
    waiting.addAndGet(-count);
    (success ? sent : failed).add(count);
    if (!success) {
      log.info("traces", "the collector of traces did not take " + count + " spans");
    }
  }

  int waiting() {
    return waiting.get();
  }

  long sent() {
    return sent.sum();
  }

  long failed() {
    return failed.sum();
  }

  long dropped() {
    return dropped.sum();
  }
}
