package io.headgate.fn.v1;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.vertx.core.buffer.Buffer;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;

/**
 * Counts what a descriptor's bytes are made of, before anything is made of them: an empty transform
 * takes two bytes, and an object a hundred. Safe on any thread.
 */
final class DescriptorParts {
  /** Enough for the largest graph; as many as the JSON form may have. */
  static final int MOST = 200_000;

  /** As deep as Protobuf goes. */
  private static final int MOST_DEPTH = 100;

  private int count;

  private DescriptorParts() {}

  /** How many fields there are, those of nested messages too; more than {@link #MOST} is enough. */
  static int count(byte[] descriptor) throws MalformedMessageException {
    DescriptorParts parts = new DescriptorParts();
    WireCursor message = new WireCursor(Buffer.buffer(descriptor));
    parts.count(message, ProcessBundleDescriptor.getDescriptor(), 1);
    return parts.count;
  }

  private void count(WireCursor message, Descriptor type, int depth)
      throws MalformedMessageException {
    for (int field = message.next(); field != 0 && count <= MOST; field = message.next()) {
      count++;
      FieldDescriptor known = type.findFieldByNumber(field);
      boolean nested =
          known != null
              && known.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              && message.hasLength()
              && depth < MOST_DEPTH;
      if (nested) {
        count(message.message(), known.getMessageType(), depth + 1);
      } else {
        message.skip();
      }
    }
  }
}
