package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A key of each of the parts into which maps are cut, to name parts by. Immutable. */
final class MapParts {
  private final HazelcastInstance member;
  private final List<Long> keys = new ArrayList<>();

  MapParts(HazelcastInstance member) {
    this.member = member;
    Set<Integer> found = new HashSet<>();
    for (long key = 1; found.size() < MemberSettings.PARTITIONS; key++) {
      if (found.add(member.getPartitionService().getPartition(key).getPartitionId())) {
        keys.add(key);
      }
    }
  }

  /** All of them, in groups of so many. */
  List<Set<Long>> inGroups(int size) {
    List<Set<Long>> groups = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += size) {
      groups.add(new HashSet<>(keys.subList(from, Math.min(keys.size(), from + size))));
    }
    return groups;
  }

  /** Those that this member owns now. */
  Set<Long> owned() {
    Set<Long> owned = new HashSet<>();
    for (Long key : keys) {
      if (member
          .getCluster()
          .getLocalMember()
          .equals(member.getPartitionService().getPartition(key).getOwner())) {
        owned.add(key);
      }
    }
    return owned;
  }
}
