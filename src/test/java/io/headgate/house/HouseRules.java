package io.headgate.house;

import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.vertx.core.internal.threadchecker.BlockedThreadChecker;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test class during which Vert.x warned of a blocked thread or Netty reported a leaked
 * buffer.
 *
 * <p>A leak is only seen when the buffer has been collected and another one is allocated, so it may
 * be blamed on a later class than the guilty one; what is still unseen at the end of the run is
 * looked for then and fails the run as a whole. The log in {@code target/test.log} has the whole
 * message, with the places that touched the buffer.
 */
public final class HouseRules implements BeforeAllCallback, AfterAllCallback {
  /** Whoever logs under these names has found a fault; nothing else does at warning level. */
  static final List<String> LOGGERS =
      List.of(BlockedThreadChecker.LOGGER_NAME, ResourceLeakDetector.class.getName());

  private static final Namespace NAMESPACE = Namespace.create(HouseRules.class);
  private static final int COLLECTIONS = 2;
  private static final long PATIENCE_MILLIS = 2_000;

  /**
   * How long tests wait for what must come. A machine that runs other work may stand still for
   * seconds; a test that waits for something in time says so by itself.
   */
  private static final Duration WAIT = Duration.ofSeconds(30);

  /**
   * One for the JVM, so that a launcher inside a test takes what it caused, and nobody else does.
   */
  private static final Complaints COMPLAINTS = Complaints.listenTo(LOGGERS);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(WAIT);
    context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(LastLook.class, key -> new LastLook(), LastLook.class);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    COMPLAINTS.throwIfAny(context.getDisplayName());
  }

  /** Closed by JUnit when the last test class is over. */
  private static final class LastLook implements AutoCloseable {
    @Override
    public void close() {
      provokeLeakReports();
      COMPLAINTS.throwIfAny("all test classes together");
    }
  }

  /**
   * Has what is unreachable collected, and allocates, which is when the detector speaks. That a
   * sentinel has come out of the collection shows that the leaked ones have.
   */
  static void provokeLeakReports() {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    try {
      for (int i = 0; i < COLLECTIONS; i++) {
        Reference<Object> sentinel = new PhantomReference<>(new Object(), collected);
        System.gc();
        collected.remove(PATIENCE_MILLIS);
        Reference.reachabilityFence(sentinel);
        Unpooled.directBuffer().release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
