package io.headgate.fn.kit;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.LogControl;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;
import org.apache.beam.fn.v1.BeamFnApi.StateRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;

/** The four calls of the protocol, as grpc-java knows calls. */
public final class Calls {
  public static final MethodDescriptor<InstructionResponse, InstructionRequest> CONTROL =
      call(
          "BeamFnControl/Control",
          InstructionResponse.getDefaultInstance(),
          InstructionRequest.getDefaultInstance());
  public static final MethodDescriptor<Elements, Elements> DATA =
      call("BeamFnData/Data", Elements.getDefaultInstance(), Elements.getDefaultInstance());
  public static final MethodDescriptor<StateRequest, StateResponse> STATE =
      call(
          "BeamFnState/State",
          StateRequest.getDefaultInstance(),
          StateResponse.getDefaultInstance());
  public static final MethodDescriptor<LogEntry.List, LogControl> LOGGING =
      call(
          "BeamFnLogging/Logging",
          LogEntry.List.getDefaultInstance(),
          LogControl.getDefaultInstance());

  private Calls() {}

  /** A call whose messages are whatever bytes a test likes. */
  public static MethodDescriptor<byte[], byte[]> raw(String name) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName("org.apache.beam.fn.v1." + name)
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> call(
      String name, Q request, A response) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(request), ProtoUtils.marshaller(response))
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName("org.apache.beam.fn.v1." + name)
        .build();
  }
}
