package io.headgate.state;

import com.hazelcast.config.CacheDeserializedValues;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.EntryView;
import com.hazelcast.map.MapEvictionPolicyComparator;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;
import io.headgate.directory.DirectoryConfig;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How the maps of a cluster are set up. All members must agree, so a gateway that does not serve a
 * map still sets it up: it keeps a part of it for the others.
 *
 * <p>Keys are job ids. Values are bytes that only this package reads, and timelines, which are kept
 * as objects: a report changes little of one, and reading all of it for that would cost most.
 * Bounds on the number of entries are split evenly among the parts that a map is cut into, so a
 * part may reach its own before the whole reaches the sum.
 */
final class StoreMaps {
  static final String FENCE = "headgate-fence";
  static final String DIRECTORY = "headgate-directory";
  static final String TIMELINES = "headgate-timelines";
  static final String HISTORY = "headgate-history";
  static final String CELLS = "headgate-fn-state";
  static final String COMMITS = "headgate-fn-commits";
  static final String DESCRIPTORS = "headgate-fn-descriptors";

  /**
   * Bytes of commits on their way that one member owns: as many as a gateway's bundles may stage.
   */
  static final long COMMIT_BYTES = 64L << 20;

  /** Bytes of bundle descriptors that one member owns; a pipeline has dozens of some kilobytes. */
  static final long DESCRIPTOR_BYTES = 64L << 20;

  /** The one key of {@link #HISTORY}; 0 is what a member tries its maps with. */
  static final long HISTORY_KEY = 1;

  /**
   * Bytes of what the fence remembers that one member owns: 130 B a job and a byte or two an id.
   */
  static final long FENCE_BYTES = 64L << 20;

  private StoreMaps() {}

  static MapConfig fence(FenceConfig fence, ClusterConfig cluster) {
    MapConfig map = map(FENCE, fence.jobs(), cluster);
    map.setMergePolicyConfig(new MergePolicyConfig().setPolicy(FenceMerge.class.getName()));
    map.getEvictionConfig().setEvictionPolicy(EvictionPolicy.LRU);
    return map;
  }

  static MapConfig directory(DirectoryConfig directory, ClusterConfig cluster) {
    MapConfig map = map(DIRECTORY, directory.jobs(), cluster);
    map.setMergePolicyConfig(new MergePolicyConfig().setPolicy(DirectoryMerge.class.getName()));
    map.setPerEntryStatsEnabled(true); // or nothing knows when an entry was changed
    map.getEvictionConfig().setEvictionPolicy(EvictionPolicy.NONE).setComparator(new EndedFirst());
    return map;
  }

  static MapConfig timelines(TimelineConfig timelines, ClusterConfig cluster) {
    MapConfig map = map(TIMELINES, timelines.jobs(), cluster);
    map.setInMemoryFormat(InMemoryFormat.OBJECT);
    map.setPerEntryStatsEnabled(true); // or its merge policy does not get to see an expiry
    map.setMergePolicyConfig(new MergePolicyConfig().setPolicy(TimelineMerge.class.getName()));
    map.getEvictionConfig().setEvictionPolicy(EvictionPolicy.NONE).setComparator(new IdleFirst());
    return map;
  }

  /** One entry, which never goes; of two halves of a cluster, the larger one's stays. */
  static MapConfig history(ClusterConfig cluster) {
    MapConfig map = map(HISTORY, 1, cluster);
    map.getEvictionConfig().setEvictionPolicy(EvictionPolicy.NONE);
    return map;
  }

  /**
   * What is kept for the Fn API: cells of state, commits on their way, and descriptors. Nothing of
   * it may ever go by itself; bytes are bounded instead.
   */
  static List<MapConfig> fn(ClusterConfig cluster) {
    List<MapConfig> maps = new ArrayList<>();
    for (String name : List.of(CELLS, COMMITS, DESCRIPTORS)) {
      MapConfig map = map(name, Integer.MAX_VALUE - MemberSettings.PARTITIONS, cluster);
      map.getEvictionConfig().setEvictionPolicy(EvictionPolicy.NONE);
      map.setPerEntryStatsEnabled(true); // or its merge policy does not get to see an expiry
      String merge =
          name.equals(DESCRIPTORS)
              ? PutIfAbsentMergePolicy.class.getName()
              : BundleMerge.class.getName();
      map.setMergePolicyConfig(new MergePolicyConfig().setPolicy(merge));
      maps.add(map);
    }
    return maps;
  }

  private static MapConfig map(String name, int entries, ClusterConfig cluster) {
    int parts = MemberSettings.PARTITIONS;
    MapConfig map =
        new MapConfig(name)
            .setInMemoryFormat(InMemoryFormat.BINARY)
            .setCacheDeserializedValues(CacheDeserializedValues.NEVER)
            .setBackupCount(MemberSettings.BACKUPS)
            .setStatisticsEnabled(true)
            .setEvictionConfig(
                new EvictionConfig()
                    .setMaxSizePolicy(MaxSizePolicy.PER_PARTITION)
                    .setSize((entries + parts - 1) / parts));
    if (cluster.minimumMembers() > 1) {
      map.setSplitBrainProtectionName(MemberSettings.MINIMUM);
    }
    return map;
  }

  /**
   * Lets records of ended executions go before active ones, which are known by having no end, and
   * of each the one that was changed longest ago, to the second.
   */
  static final class EndedFirst implements MapEvictionPolicyComparator<Long, byte[]> {
    private static final long serialVersionUID = 1L;

    private static final Comparator<EntryView<Long, byte[]>> ORDER =
        Comparator.<EntryView<Long, byte[]>, Boolean>comparing(
                entry -> entry.getExpirationTime() == Long.MAX_VALUE)
            .thenComparingLong(EndedFirst::changedAt);

    /** An entry that was only ever made has no time of a change. */
    private static long changedAt(EntryView<Long, byte[]> entry) {
      return Math.max(entry.getCreationTime(), entry.getLastUpdateTime());
    }

    @Override
    public int compare(EntryView<Long, byte[]> a, EntryView<Long, byte[]> b) {
      return ORDER.compare(a, b);
    }
  }

  /**
   * Lets timelines of ended jobs go before those of jobs that run, as far as the gateway has heard,
   * and of each the one that has been idle longest.
   */
  static final class IdleFirst implements MapEvictionPolicyComparator<Long, Timeline> {
    private static final long serialVersionUID = 1L;

    private static final Comparator<Timeline> ORDER =
        Comparator.<Timeline, Boolean>comparing(each -> each.endedAt() == Timeline.NEVER)
            .thenComparingLong(Timeline::changedAt);

    @Override
    public int compare(EntryView<Long, Timeline> a, EntryView<Long, Timeline> b) {
      return ORDER.compare(a.getValue(), b.getValue());
    }
  }
}
