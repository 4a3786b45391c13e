package io.headgate.state;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where bundle descriptors are kept, one for each id and never another (F3). A descriptor is bytes
 * here; whoever registers it has brought it into the one form that equal descriptors share.
 *
 * <p>Safe on any thread; nothing blocks. Every stage completes within a deadline of the store's
 * own, exceptionally if the store can't say; everything may be repeated.
 */
public interface DescriptorStore {
  /** What became of a registration. */
  enum Registration {
    /** It is kept from now on. */
    REGISTERED,
    /** It was kept already, and is the same. */
    UNCHANGED,
    /** Another one is kept under this id. */
    CONFLICT,
    /** There is no room. */
    FULL
  }

  /** Keeps a descriptor unless there is one. */
  CompletionStage<Registration> register(String id, byte[] descriptor);

  /** The descriptor of this id, or null. Not to be written to. */
  CompletionStage<byte @Nullable []> read(String id);

  /**
   * Ids in order.
   *
   * @param after only ids behind this one; empty for all
   * @param most how many there should be at most
   */
  CompletionStage<List<String>> list(String after, int most);

  /** Forgets a descriptor; false if there is none. */
  CompletionStage<Boolean> remove(String id);
}
