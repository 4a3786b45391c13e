package io.headgate.fn;

import io.headgate.graph.DescriptorFault;
import io.headgate.graph.DescriptorGraph;
import io.headgate.graph.Excess;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * A checked bundle descriptor. Immutable; the bytes are not to be written to.
 *
 * @param id its id
 * @param stored the form that equal descriptors share, without any endpoint: what is kept
 * @param digest differs if what is stored differs
 * @param wire the form that harnesses of this gateway get, with this gateway's endpoint
 * @param inputs data ports that harnesses read
 * @param outputs data ports that harnesses write
 * @param graph its transforms and what flows between them
 */
public record BundleDescriptor(
    String id,
    byte[] stored,
    String digest,
    Buffer wire,
    List<PortId> inputs,
    List<PortId> outputs,
    DescriptorGraph graph) {
  /** What became of reading one. */
  public sealed interface Read {
    /** It passed every check. */
    record Accepted(BundleDescriptor descriptor) implements Read {}

    /** It can't be read, is missing something, or contradicts itself. */
    record Refused(DescriptorFault reason) implements Read {}

    /** It passed a limit. */
    record TooLarge(Excess reason) implements Read {}
  }

  /** Reads and checks descriptors (F3). Takes some milliseconds for large ones; on any thread. */
  public interface Reader {
    /**
     * Reads one.
     *
     * @param bytes a {@code ProcessBundleDescriptor}, as received or as stored
     */
    Read read(byte[] bytes);
  }
}
