package io.headgate.kit;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A collector of traces on loopback. Reads what is sent to it as Protocol Buffers without a schema,
 * by the numbers of OpenTelemetry's {@code trace.proto}.
 */
public final class TraceCollector implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<Map<String, String>> resources = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final boolean hangs;

  /** A span as it was sent; ids in hexadecimal digits, times in nanoseconds since 1970. */
  public record Span(
      String traceId,
      String spanId,
      String parentId,
      String name,
      long kind,
      long begunAt,
      long endedAt,
      Map<String, String> attributes) {}

  private TraceCollector(boolean hangs) {
    this.hangs = hangs;
    server =
        ScriptedEngine.await(
            vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
  }

  /** One that takes everything. */
  public static TraceCollector open() {
    return new TraceCollector(false);
  }

  /** One that takes calls and never answers. */
  public static TraceCollector hanging() {
    return new TraceCollector(true);
  }

  public String endpoint() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** How many calls came. */
  public int calls() {
    return calls.get();
  }

  public List<Span> spans() {
    return List.copyOf(spans);
  }

  /** The attributes of whoever sent, once for each batch. */
  public List<Map<String, String>> resources() {
    return List.copyOf(resources);
  }

  private void handle(HttpServerRequest request) {
    calls.incrementAndGet();
    if (hangs) {
      return;
    }
    request.body().onSuccess(body -> take(request, body));
  }

  private void take(HttpServerRequest request, Buffer body) {
    try {
      if (!request.path().equals("/v1/traces")) {
        throw new InvalidProtocolBufferException(request.path());
      }
      UnknownFieldSet export = UnknownFieldSet.parseFrom(body.getBytes());
      for (UnknownFieldSet resource : messages(export, 1)) {
        resources.add(attributes(messages(resource, 1).get(0), 1));
        for (UnknownFieldSet scope : messages(resource, 2)) {
          for (UnknownFieldSet span : messages(scope, 2)) {
            spans.add(span(span));
          }
        }
      }
      request.response().end();
    } catch (InvalidProtocolBufferException e) {
      request.response().setStatusCode(400).end();
    }
  }

  private static Span span(UnknownFieldSet span) throws InvalidProtocolBufferException {
    return new Span(
        hex(span.getField(1)),
        hex(span.getField(2)),
        hex(span.getField(4)),
        text(span.getField(5)),
        span.getField(6).getVarintList().get(0),
        span.getField(7).getFixed64List().get(0),
        span.getField(8).getFixed64List().get(0),
        attributes(span, 9));
  }

  private static Map<String, String> attributes(UnknownFieldSet of, int number)
      throws InvalidProtocolBufferException {
    Map<String, String> attributes = new HashMap<>();
    for (UnknownFieldSet pair : messages(of, number)) {
      UnknownFieldSet value = messages(pair, 2).get(0);
      boolean isText = value.hasField(1);
      attributes.put(
          text(pair.getField(1)),
          isText ? text(value.getField(1)) : value.getField(3).getVarintList().toString());
    }
    return attributes;
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet in, int number)
      throws InvalidProtocolBufferException {
    List<UnknownFieldSet> messages = new java.util.ArrayList<>();
    for (ByteString bytes : in.getField(number).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(bytes));
    }
    return messages;
  }

  private static String hex(Field field) {
    return field.getLengthDelimitedList().isEmpty()
        ? ""
        : HexFormat.of().formatHex(field.getLengthDelimitedList().get(0).toByteArray());
  }

  private static String text(Field field) {
    return field.getLengthDelimitedList().get(0).toStringUtf8();
  }

  @Override
  public void close() {
    ScriptedEngine.await(vertx.close());
  }
}
