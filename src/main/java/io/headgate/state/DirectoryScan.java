package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobSelection;
import io.headgate.graph.Unavailability;
import java.util.Set;

/**
 * Goes through the whole directory, a few of its parts at a time. Each step runs on a thread of the
 * member that owns the records, and there are few of those: a scan in one go would keep the
 * questions of members to each other waiting. Blocks.
 */
final class DirectoryScan {
  /**
   * In five steps: few enough that not much more is sent than is listed, and enough that others get
   * their turn in between.
   */
  private static final int PARTS_AT_ONCE = 64;

  private final HazelcastInstance member;
  private final IMap<Long, byte[]> map;

  DirectoryScan(HazelcastInstance member, IMap<Long, byte[]> map) {
    this.member = member;
    this.map = map;
  }

  /**
   * Lists the jobs.
   *
   * @throws StoreException when the deadline has passed
   */
  JobListing.Read list(int most, long nowMillis, Deadline deadline) {
    JobSelection jobs = new JobSelection(most);
    boolean whole = true;
    for (Set<Long> keys : new MapParts(member).inGroups(PARTS_AT_ONCE)) {
      if (deadline.passed()) {
        throw new StoreException(Unavailability.DEADLINE);
      }
      JobListing.Read some =
          map.aggregate(
              new DirectoryList(most, nowMillis),
              Predicates.multiPartitionPredicate(keys, Predicates.alwaysTrue()));
      some.jobs().forEach(jobs::add);
      whole &= some.whole();
    }
    return new JobListing.Read(jobs.jobs(), whole && !jobs.leftOut());
  }
}
