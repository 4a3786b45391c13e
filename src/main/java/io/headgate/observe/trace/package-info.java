/**
 * Traces of requests, for a collector that speaks OTLP. Off by default, and then no class of
 * OpenTelemetry is loaded: those types appear in this package only. Spans are made of the records
 * of requests that are over, on the thread that writes access lines; OpenTelemetry's own threads
 * send them. Start with {@link io.headgate.observe.trace.OtlpTracer}.
 */
@NullMarked
package io.headgate.observe.trace;

import org.jspecify.annotations.NullMarked;
