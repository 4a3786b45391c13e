package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import com.hazelcast.spi.merge.SplitBrainMergeTypes.MapMergeTypes;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineLimits;
import org.jspecify.annotations.Nullable;

/** Puts together what two halves of a cluster have of one timeline; Hazelcast makes it by name. */
public final class TimelineMerge
    implements SplitBrainMergePolicy<Timeline, MapMergeTypes<Long, Timeline>, Timeline>,
        HazelcastInstanceAware {
  /** The name under which it finds the limits in the context of its member. */
  static final String LIMITS = "io.headgate.timeline.limits";

  private TimelineLimits limits = TimelineLimits.DEFAULT;

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    if (member.getUserContext().get(LIMITS) instanceof TimelineLimits configured) {
      limits = configured;
    }
  }

  @Override
  public Timeline merge(
      MapMergeTypes<Long, Timeline> merging, @Nullable MapMergeTypes<Long, Timeline> existing) {
    if (existing == null) {
      return merging.getValue();
    }
    Timeline ours = existing.getValue();
    try {
      Timeline merged = Timeline.merge(ours, merging.getValue(), limits);
      DirectoryMerge.setExpiry(merging, merged.expiresAt(limits));
      return merged;
    } catch (HazelcastSerializationException e) {
      return ours;
    }
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
