package io.headgate.fn.v1;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.headgate.fn.Answer;
import io.headgate.fn.ControlLink;
import io.headgate.fn.FnCore;
import io.headgate.fn.Harness;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleProgressRequest;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleRequest;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitRequest;
import org.apache.beam.fn.v1.BeamFnApi.RegisterRequest;
import org.apache.beam.fn.v1.BeamFnApi.Target;

/**
 * A harness's Control stream (F2). The gateway never ends it because of what comes: a harness would
 * exit. A response that can't be read is counted, and its instruction runs into its deadline. On
 * the loop.
 */
final class ControlStream extends HarnessStream implements ControlLink {
  /** A harness has no more transforms to split than a descriptor has. */
  private static final int MOST_SPLITS = 10_000;

  private static final KnownFields<InstructionResponse> RESPONSES =
      new KnownFields<>(InstructionResponse.parser());

  ControlStream(FnCore core, Harness harness, HarnessCall call) {
    super(core, harness, call);
  }

  @Override
  boolean open() {
    return harness.openControl(this);
  }

  @Override
  void read(Buffer bytes) throws MalformedMessageException {
    checkSplits(bytes);
    InstructionResponse response = RESPONSES.read(bytes);
    harness.answered(response.getInstructionId(), answer(response));
  }

  /** Splits are the only thing in a response that there can be millions of. */
  private static void checkSplits(Buffer bytes) throws MalformedMessageException {
    int splits = 0;
    WireCursor response = new WireCursor(bytes);
    for (int field = response.next(); field != 0; field = response.next()) {
      if (field != InstructionResponse.PROCESS_BUNDLE_SPLIT_FIELD_NUMBER || !response.hasLength()) {
        response.skip();
        continue;
      }
      WireCursor split = response.message();
      while (split.next() != 0) {
        split.skip();
        if (++splits > MOST_SPLITS) {
          throw new MalformedMessageException();
        }
      }
    }
  }

  private static Answer answer(InstructionResponse response) {
    if (!response.getError().isEmpty()) {
      return new Answer.Failed(response.getError());
    }
    return switch (response.getResponseCase()) {
      case REGISTER -> new Answer.Registered();
      case PROCESS_BUNDLE -> new Answer.Processed();
      case PROCESS_BUNDLE_PROGRESS ->
          new Answer.Progress(
              response.getProcessBundleProgress().getFinishedWork(),
              response.getProcessBundleProgress().getBacklog());
      case PROCESS_BUNDLE_SPLIT ->
          new Answer.Split(Buffer.buffer(response.getProcessBundleSplit().toByteArray()));
      case RESPONSE_NOT_SET -> new Answer.Unfit();
    };
  }

  @Override
  void unreadable(HarnessCall.Ending ending) {
    // Nothing more: see above.
  }

  @Override
  void gone() {
    harness.controlEnded();
  }

  @Override
  public void roomAgain() {
    // Instructions don't wait here: whoever wants to send one asks first.
  }

  @Override
  public boolean hasRoom() {
    return call.hasRoom();
  }

  @Override
  public void register(String instruction, Buffer descriptor) {
    // Put around the bytes by hand: to parse a large descriptor only to write it again is waste.
    int inner = RegisterRequest.PROCESS_BUNDLE_DESCRIPTOR_FIELD_NUMBER;
    ByteString bytes = UnsafeByteOperations.unsafeWrap(descriptor.getBytes());
    int length = CodedOutputStream.computeBytesSize(inner, bytes);
    int outer = InstructionRequest.REGISTER_FIELD_NUMBER;
    byte[] id = request(instruction).build().toByteArray();
    int size = CodedOutputStream.computeTagSize(outer);
    size += CodedOutputStream.computeUInt32SizeNoTag(length);
    byte[] message = new byte[id.length + size + length];
    CodedOutputStream out = CodedOutputStream.newInstance(message);
    try {
      out.writeRawBytes(id);
      out.writeTag(outer, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(length);
      out.writeBytes(inner, bytes);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("an array has no such faults", e);
    }
    call.send(Buffer.buffer(message));
  }

  @Override
  public void process(String instruction, String descriptorId, List<CacheToken> tokens) {
    ProcessBundleRequest.Builder process =
        ProcessBundleRequest.newBuilder().setProcessBundleDescriptorReference(descriptorId);
    for (CacheToken token : tokens) {
      process
          .addCacheTokensBuilder()
          .setTarget(
              Target.newBuilder()
                  .setPrimitiveTransformReference(token.port().transform())
                  .setName(token.port().name()))
          .setToken(UnsafeByteOperations.unsafeWrap(token.token().getBytes()));
    }
    send(request(instruction).setProcessBundle(process));
  }

  @Override
  public void progress(String instruction, String bundle) {
    send(
        request(instruction)
            .setProcessBundleProgress(
                ProcessBundleProgressRequest.newBuilder().setInstructionReference(bundle)));
  }

  @Override
  public void split(String instruction, String bundle, double fraction) {
    send(
        request(instruction)
            .setProcessBundleSplit(
                ProcessBundleSplitRequest.newBuilder()
                    .setInstructionReference(bundle)
                    .setFraction(fraction)));
  }

  private static InstructionRequest.Builder request(String instruction) {
    return InstructionRequest.newBuilder().setInstructionId(instruction);
  }

  private void send(InstructionRequest.Builder request) {
    call.send(Buffer.buffer(request.build().toByteArray()));
  }
}
