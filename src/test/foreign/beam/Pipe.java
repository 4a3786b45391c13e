import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.CallOptions;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.Channel;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.ClientCall;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.Metadata;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.MethodDescriptor;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.ServerCall;
import org.apache.beam.vendor.grpc.v1p13p1.io.grpc.Status;

/**
 * One call of the harness and the one of the gateway that belongs to it. A message is taken from
 * one side only when the other is ready for it, so that back-pressure passes through.
 */
final class Pipe {
  private static final Metadata.Key<String> WORKER =
      Metadata.Key.of("worker_id", Metadata.ASCII_STRING_MARSHALLER);

  private final ServerCall<byte[], byte[]> harness;
  private final ClientCall<byte[], byte[]> gateway;
  private final Translation up;
  private final Translation down;
  /** A message is to be asked for as soon as the other side is ready. */
  private final AtomicBoolean harnessWaits = new AtomicBoolean();

  private final AtomicBoolean gatewayWaits = new AtomicBoolean();

  Pipe(
      ServerCall<byte[], byte[]> harness,
      Channel channel,
      MethodDescriptor<byte[], byte[]> method,
      Translation up,
      Translation down) {
    this.harness = harness;
    this.gateway = channel.newCall(method, CallOptions.DEFAULT);
    this.up = up;
    this.down = down;
  }

  ServerCall.Listener<byte[]> open(Metadata headers) {
    Metadata identity = new Metadata();
    identity.put(WORKER, headers.get(WORKER));
    harness.sendHeaders(new Metadata());
    gateway.start(new FromGateway(), identity);
    gateway.request(1);
    harness.request(1);
    return new FromHarness();
  }

  private void takeFromHarness() {
    if (gateway.isReady() && harnessWaits.compareAndSet(true, false)) {
      harness.request(1);
    }
  }

  private void takeFromGateway() {
    if (harness.isReady() && gatewayWaits.compareAndSet(true, false)) {
      gateway.request(1);
    }
  }

  private final class FromHarness extends ServerCall.Listener<byte[]> {
    @Override
    public void onMessage(byte[] message) {
      gateway.sendMessage(up.of(message));
      harnessWaits.set(true);
      takeFromHarness();
    }

    @Override
    public void onHalfClose() {
      gateway.halfClose();
    }

    @Override
    public void onCancel() {
      gateway.cancel("cancelled by the harness", null);
    }

    @Override
    public void onReady() {
      takeFromGateway();
    }
  }

  private final class FromGateway extends ClientCall.Listener<byte[]> {
    @Override
    public void onMessage(byte[] message) {
      harness.sendMessage(down.of(message));
      gatewayWaits.set(true);
      takeFromGateway();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      harness.close(status, new Metadata());
    }

    @Override
    public void onReady() {
      takeFromHarness();
    }
  }
}
