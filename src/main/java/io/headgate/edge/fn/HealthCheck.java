package io.headgate.edge.fn;

import io.headgate.fn.v1.FnServices;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The {@code Check} of {@code grpc.health.v1.Health}. There is no {@code Watch}: clients take
 * UNIMPLEMENTED for that, and the ready-made one keeps streams that have been reset.
 *
 * <p>Question and answer are of one field each, so they are written out here. Since anybody may
 * ask, what a question can cost is small: it has a few bytes and a few seconds to come, and of
 * those that are on their way the oldest is reset when there are too many. Event loop only.
 */
final class HealthCheck {
  /** Open to whoever asks, as probes have no tokens. */
  static final String PATH = "/grpc.health.v1.Health/Check";

  /** {@code status = SERVING} and {@code status = NOT_SERVING}. */
  private static final Buffer SERVING = Buffer.buffer(new byte[] {8, 1});

  private static final Buffer NOT_SERVING = Buffer.buffer(new byte[] {8, 2});

  /** The tag of {@code service}, a text. */
  private static final int SERVICE_TAG = 10;

  /** The longest name of a service has 38 bytes. */
  private static final int MOST_BYTES = 256;

  private static final int MOST_WAITING = 256;

  /** CANCEL. */
  private static final long RESET = 8;

  private static final long PATIENCE_MILLIS = 5_000;

  private final Vertx vertx;
  private final BooleanSupplier serving;
  private final Set<HttpServerRequest> waiting = new LinkedHashSet<>();

  /**
   * @param serving whether new streams are taken
   */
  HealthCheck(Vertx vertx, BooleanSupplier serving) {
    this.vertx = vertx;
    this.serving = serving;
  }

  static ServiceMethod<Buffer, Buffer> method() {
    return ServiceMethod.server(
        ServiceName.create("grpc.health.v1", "Health"),
        "Check",
        GrpcMessageEncoder.IDENTITY,
        GrpcMessageDecoder.IDENTITY);
  }

  /**
   * Answers a question when it has come.
   *
   * @param http what {@code request} is made of
   */
  void handle(HttpServerRequest http, GrpcServerRequest<Buffer, Buffer> request) {
    GrpcServerResponse<Buffer, Buffer> response = request.response();
    MessageReader reader =
        new MessageReader(
            MOST_BYTES,
            new MessageRoom(Long.MAX_VALUE),
            question -> {
              if (waiting.remove(http)) {
                Buffer answer = serving.getAsBoolean() ? SERVING : NOT_SERVING;
                GrpcCall.leave(
                    http,
                    isKnown(question)
                        ? response.end(answer)
                        : response.status(GrpcStatus.NOT_FOUND).end());
              }
            },
            () -> drop(http));
    http.handler(reader::read); // in place of Vert.x gRPC's, which would take four megabytes
    waiting.add(http);
    long timer = vertx.setTimer(PATIENCE_MILLIS, tick -> drop(http));
    http.response()
        .closeHandler(
            closed -> {
              vertx.cancelTimer(timer);
              waiting.remove(http);
            });
    if (waiting.size() > MOST_WAITING) {
      drop(waiting.iterator().next());
    }
  }

  private void drop(HttpServerRequest http) {
    if (waiting.remove(http)) {
      http.response().reset(RESET);
    }
  }

  private static boolean isKnown(Buffer question) {
    if (question.length() == 0) {
      return true;
    }
    for (FnServices.Service service : FnServices.Service.values()) {
      byte[] name = service.fullName().getBytes(StandardCharsets.US_ASCII);
      Buffer asked = Buffer.buffer().appendByte((byte) SERVICE_TAG).appendByte((byte) name.length);
      if (question.equals(asked.appendBytes(name))) {
        return true;
      }
    }
    return false;
  }
}
