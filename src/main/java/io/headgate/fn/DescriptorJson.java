package io.headgate.fn;

import io.headgate.wire.CappedBuffer;
import org.jspecify.annotations.Nullable;

/** Descriptors in the JSON form of Protocol Buffers (F3). For workers; safe on any of them. */
public interface DescriptorJson {
  /**
   * Reads a descriptor.
   *
   * @param json the bytes of a body, as received
   * @return the bytes of a {@code ProcessBundleDescriptor}, not checked yet; null if it is none
   */
  byte @Nullable [] read(byte[] json);

  /**
   * Writes a descriptor, or nothing if JSON can't say all of it.
   *
   * @param descriptor the bytes of a {@code ProcessBundleDescriptor}
   * @param cap the most bytes
   * @throws io.headgate.wire.CapExceededException if it takes more
   */
  @Nullable CappedBuffer write(byte[] descriptor, int cap);
}
