package io.headgate.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.slf4j.LoggerFactory;

/**
 * The house rules themselves, on test classes that break them. Those run in a launcher of their
 * own, inside this class; what they do wrong is theirs alone, because the inner class is over
 * first.
 */
class HouseRulesTest {
  private static final long PATIENCE_SECONDS = 20;

  @BeforeAll
  static void leaksAreLookedForInEveryBuffer() {
    assertThat(ResourceLeakDetector.getLevel())
        .as("io.netty.leakDetection.level, set by Surefire")
        .isEqualTo(ResourceLeakDetector.Level.PARANOID);
  }

  @Test
  void a_class_that_blocks_an_event_loop_fails() {
    assertThat(failures(Blocking.class)).singleElement().asString().contains("has been blocked");
  }

  @Test
  void a_class_that_leaks_a_buffer_fails() {
    assertThat(failures(Leaking.class)).singleElement().asString().contains("LEAK");
  }

  @Test
  void a_class_that_behaves_passes() {
    assertThat(failures(Behaving.class)).isEmpty();
  }

  @Test
  void a_complaint_is_not_held_against_the_next_class() {
    assertThat(failures(Complaining.class, Behaving.class))
        .singleElement()
        .asString()
        .contains("Complaining")
        .contains("a made-up complaint");
  }

  /** What fails when these classes run. */
  private static List<String> failures(Class<?>... classes) {
    List<String> failures = new ArrayList<>();
    Launcher launcher = LauncherFactory.create();
    for (Class<?> testClass : classes) {
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(testClass))
              .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
              .build(),
          new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
              result.getThrowable().ifPresent(failure -> failures.add(failure.toString()));
            }
          });
    }
    return failures;
  }

  static class Blocking {
    @Test
    void an_event_loop_waits() throws Exception {
      Vertx vertx =
          Vertx.vertx(
              new VertxOptions()
                  .setBlockedThreadCheckInterval(5)
                  .setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
                  .setMaxEventLoopExecuteTime(1)
                  .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS));
      CountDownLatch warned = new CountDownLatch(1);
      try (Ear ear = new Ear(HouseRules.LOGGERS.get(0), warned)) {
        CountDownLatch unblocked = new CountDownLatch(1);
        vertx.runOnContext(
            v -> {
              await(warned);
              unblocked.countDown();
            });
        assertThat(await(unblocked)).as("the event loop went on").isTrue();
      } finally {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
      }
    }
  }

  static class Leaking {
    @Test
    void a_buffer_is_forgotten() {
      Unpooled.directBuffer(16).writeByte(1);
      CountDownLatch reported = new CountDownLatch(1);
      long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      try (Ear ear = new Ear(HouseRules.LOGGERS.get(1), reported)) {
        while (reported.getCount() > 0 && System.nanoTime() - giveUp < 0) {
          HouseRules.provokeLeakReports();
        }
      }
      assertThat(reported.getCount()).as("reports awaited").isZero();
    }
  }

  static class Behaving {
    @Test
    void nothing_happens() {
      Unpooled.directBuffer(16).release();
    }
  }

  static class Complaining {
    @Test
    void something_is_said() {
      LoggerFactory.getLogger(HouseRules.LOGGERS.get(1)).error("a made-up complaint");
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
