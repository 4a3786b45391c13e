package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the member port makes of Java objects that somebody sends to it, over a real connection. */
class JavaObjectsTest {
  /** Counts how often a hostile object came to life on the receiving side. */
  private static final AtomicInteger ALIVE = new AtomicInteger();

  private static final String MAP = "any";

  private static TestMember target;
  private static HazelcastInstance raw;

  @BeforeAll
  static void start() {
    target = TestMember.first();
    raw = raw(target);
    assertThat(raw.getCluster().getMembers()).hasSize(2);
  }

  @AfterAll
  static void stop() {
    raw.getLifecycleService().terminate();
    target.close();
  }

  /** A member of somebody else's making: it sends what it likes and filters nothing. */
  private static HazelcastInstance raw(TestMember target) {
    Config config = MemberSettings.of(target.beside(1));
    config.getSerializationConfig().setJavaSerializationFilterConfig(null);
    config.addMapConfig(new MapConfig(MAP).setBackupCount(0)); // or the target refuses the copy
    return Hazelcast.newHazelcastInstance(config);
  }

  @BeforeEach
  void nothingIsAliveYet() {
    ALIVE.set(0);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                raw.getCluster().getMembers().size() == 2
                    && target.cluster.members() == 2
                    && raw.getPartitionService().isClusterSafe());
  }

  /** Comes to life while it is read. */
  static class Hostile implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ALIVE.incrementAndGet();
      in.defaultReadObject();
    }
  }

  static final class HostileProcessor extends Hostile
      implements EntryProcessor<Long, byte[], String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String process(Map.Entry<Long, byte[]> entry) {
      return "ran";
    }
  }

  static final class HostileTask extends Hostile implements Callable<String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String call() {
      return "ran";
    }
  }

  /** Hides the hostile object in an exception, whose class is listed. */
  static final class HostileCause extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final Hostile inside = new Hostile();
  }

  @Test
  void a_member_that_filters_nothing_brings_such_an_object_to_life() {
    HazelcastInstance open = raw(target);
    try {
      IMap<Long, byte[]> map = raw.getMap(MAP);
      assertThat(map.executeOnKey(keyOf(open), new HostileProcessor())).isEqualTo("ran");
      assertThat(ALIVE).hasPositiveValue();
    } finally {
      open.shutdown();
    }
  }

  @Test
  void an_object_outside_the_list_is_refused_and_never_comes_to_life() throws Exception {
    IMap<Long, byte[]> map = raw.getMap(MAP);
    long key = keyOf(target.hazelcast());
    assertThatThrownBy(() -> map.executeOnKey(key, new HostileProcessor()))
        .hasStackTraceContaining("is not allowed");
    assertThatThrownBy(
            () ->
                raw.getExecutorService("any")
                    .submitToMember(
                        new HostileTask(), target.hazelcast().getCluster().getLocalMember())
                    .get(60, TimeUnit.SECONDS))
        .hasStackTraceContaining("is not allowed");
    assertThat(ALIVE).hasValue(0);

    map.set(key, new byte[] {7});
    assertThat(target.hazelcast().getMap(MAP).get(key)).as("it goes on").isEqualTo(new byte[] {7});
  }

  @Test
  void an_object_hidden_in_a_stored_value_is_refused_when_it_is_read() {
    raw.getMap(MAP).set(keyOf(target.hazelcast()), new HostileTask());
    assertThatThrownBy(() -> target.hazelcast().getMap(MAP).get(keyOf(target.hazelcast())))
        .hasStackTraceContaining("is not allowed");
    raw.getMap(MAP).set(keyOf(target.hazelcast()), new HostileCause());
    assertThatThrownBy(() -> target.hazelcast().getMap(MAP).get(keyOf(target.hazelcast())))
        .hasStackTraceContaining("is not allowed");
    assertThat(ALIVE).hasValue(0);
  }

  @Test
  void exceptions_that_calls_fail_with_do_arrive() {
    List<Throwable> failures =
        List.of(
            new SplitBrainProtectionException("few"),
            new MemberLeftException(raw.getCluster().getLocalMember()),
            new IndeterminateOperationStateException("unconfirmed"),
            new HazelcastSerializationException("unread", new ClassNotFoundException("none")),
            new TargetNotMemberException("moved"),
            new CompletionException(new IllegalStateException("inside")));
    for (Throwable failure : failures) {
      failure.addSuppressed(new IOException("beside"));
      raw.getMap(MAP).set(1L, failure);
      assertThat(target.hazelcast().getMap(MAP).get(1L)).isInstanceOf(failure.getClass());
    }
  }

  /** A key whose entry this member owns. */
  private static long keyOf(HazelcastInstance owner) {
    for (long key = 1; ; key++) {
      var partition = owner.getPartitionService().getPartition(key);
      if (owner.getCluster().getLocalMember().equals(partition.getOwner())) {
        return key;
      }
    }
  }
}
