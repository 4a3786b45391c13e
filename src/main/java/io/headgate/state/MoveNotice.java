package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Tells a member that a job moves on to another execution; runs on the member that is told, and
 * answers whether that one has noted it. On the wire it is the job's id as a long.
 */
final class MoveNotice
    implements Callable<Boolean>, IdentifiedDataSerializable, HazelcastInstanceAware {
  /** Where a member's user context has its {@link MovedJobs}. */
  static final String NOTED = "headgate.moved";

  private long jobId;
  private @Nullable HazelcastInstance told;

  MoveNotice(long jobId) {
    this.jobId = jobId;
  }

  /** To be read from the wire. */
  MoveNotice() {
    this(0);
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    told = instance;
  }

  @Override
  public Boolean call() {
    HazelcastInstance here = told;
    if (here != null && here.getUserContext().get(NOTED) instanceof MovedJobs moved) {
      moved.add(jobId);
      return true;
    }
    return false;
  }

  @Override
  public int getFactoryId() {
    return WireTypes.FACTORY;
  }

  @Override
  public int getClassId() {
    return WireTypes.MOVE_NOTICE;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLong(jobId);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    jobId = in.readLong();
  }
}
