package io.headgate.fn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a runner says over HTTP to start a bundle.
 *
 * @param descriptorId the descriptor that it runs through
 * @param tokens what its harness may reuse of state that it read earlier
 */
public record BundleRequest(String descriptorId, List<ControlLink.CacheToken> tokens) {
  /** Reads one; on any thread. */
  public interface Reader {
    /**
     * @param bytes a {@code ProcessBundleRequest}
     * @return null if they are none
     */
    @Nullable BundleRequest read(byte[] bytes);
  }
}
