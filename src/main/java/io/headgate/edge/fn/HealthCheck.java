package io.headgate.edge.fn;

import io.headgate.fn.v1.FnServices;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * The {@code Check} of {@code grpc.health.v1.Health}. There is no {@code Watch}: clients take
 * UNIMPLEMENTED for that, and the ready-made one keeps streams that have been reset.
 *
 * <p>Question and answer are of one field each, so they are written out here.
 */
final class HealthCheck {
  /** Open to whoever asks, as probes have no tokens. */
  static final String PATH = "/grpc.health.v1.Health/Check";

  /** {@code status = SERVING} and {@code status = NOT_SERVING}. */
  private static final Buffer SERVING = Buffer.buffer(new byte[] {8, 1});

  private static final Buffer NOT_SERVING = Buffer.buffer(new byte[] {8, 2});

  /** The tag of {@code service}, a text. */
  private static final int SERVICE_TAG = 10;

  private final BooleanSupplier serving;

  /**
   * @param serving whether new streams are taken
   */
  HealthCheck(BooleanSupplier serving) {
    this.serving = serving;
  }

  static ServiceMethod<Buffer, Buffer> method() {
    return ServiceMethod.server(
        ServiceName.create("grpc.health.v1", "Health"),
        "Check",
        GrpcMessageEncoder.IDENTITY,
        GrpcMessageDecoder.IDENTITY);
  }

  void handle(GrpcServerRequest<Buffer, Buffer> request) {
    request.handler(
        question -> {
          if (isKnown(question)) {
            request.response().end(serving.getAsBoolean() ? SERVING : NOT_SERVING);
          } else {
            request.response().status(GrpcStatus.NOT_FOUND).end();
          }
        });
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
