package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The question whether a member counts another one among the members of its cluster; runs on the
 * member that is asked. On the wire it is the identity of the one that asks, as two longs.
 *
 * <p>A member that is still bringing what it kept into another part of the cluster counts nobody:
 * before that, the part can't know what it lacks.
 */
final class CountedQuestion
    implements Callable<Boolean>, IdentifiedDataSerializable, HazelcastInstanceAware {
  /** Where a member's user context says whether it is merging, as a {@link BooleanSupplier}. */
  static final String MERGING = "headgate.merging";

  private UUID who;
  private @Nullable HazelcastInstance asked;

  CountedQuestion(UUID who) {
    this.who = who;
  }

  /** To be read from the wire. */
  CountedQuestion() {
    this(new UUID(0, 0));
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    asked = instance;
  }

  @Override
  public Boolean call() {
    HazelcastInstance here = asked;
    return here != null
        && !(here.getUserContext().get(MERGING) instanceof BooleanSupplier merging
            && merging.getAsBoolean())
        && here.getCluster().getMembers().stream().anyMatch(m -> m.getUuid().equals(who));
  }

  @Override
  public int getFactoryId() {
    return WireTypes.FACTORY;
  }

  @Override
  public int getClassId() {
    return WireTypes.COUNTED_QUESTION;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLong(who.getMostSignificantBits());
    out.writeLong(who.getLeastSignificantBits());
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    who = new UUID(in.readLong(), in.readLong());
  }
}
