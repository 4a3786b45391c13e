import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.beam.vendor.grpc.v1p13p1.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.Channel;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.MethodDescriptor;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.MethodDescriptor.MethodType;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.ServerServiceDefinition;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.netty.NettyChannelBuilder;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.netty.NettyServerBuilder;

/**
 * Serves a harness the later names of the four services, on a port of its own, and makes a call of
 * the gateway, by the early name, out of each of the harness's. Messages that differ are rewritten
 * by {@link Translation}; the bytes of the rest are passed on as they are.
 */
final class Bridge {
  private static final String LATER = "org.apache.beam.model.fn_execution.v1.";
  private static final String EARLY = "org.apache.beam.fn.v1.";

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<byte[]>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
          try {
            return message.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final Server server;

  private Bridge(Server server) {
    this.server = server;
  }

  /**
   * Opens one.
   *
   * @param gateway the gateway's port
   * @param descriptors what the harness is given for a descriptor, by its id; filled before the
   *     harness connects
   */
  static Bridge open(int gateway, Map<String, ByteString> descriptors) throws IOException {
    return new Bridge(
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                service(
                    gateway,
                    "BeamFnControl",
                    "Control",
                    m -> m,
                    Translation.requests(descriptors)))
            .addService(service(gateway, "BeamFnData", "Data", m -> m, m -> m))
            .addService(
                service(
                    gateway,
                    "BeamFnState",
                    "State",
                    Translation::stateRequest,
                    Translation::stateResponse))
            .addService(
                service(gateway, "BeamFnLogging", "Logging", Translation::logEntries, m -> m))
            .build()
            .start());
  }

  int port() {
    return server.getPort();
  }

  /** With a connection to the gateway for each service, as real harnesses have it. */
  private static ServerServiceDefinition service(
      int gateway, String name, String method, Translation up, Translation down) {
    Channel channel = NettyChannelBuilder.forAddress("127.0.0.1", gateway).usePlaintext().build();
    MethodDescriptor<byte[], byte[]> early = method(EARLY + name, method);
    return ServerServiceDefinition.builder(LATER + name)
        .addMethod(
            method(LATER + name, method),
            (call, headers) -> new Pipe(call, channel, early, up, down).open(headers))
        .build();
  }

  private static MethodDescriptor<byte[], byte[]> method(String service, String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
        .setType(MethodType.BIDI_STREAMING)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .build();
  }
}
