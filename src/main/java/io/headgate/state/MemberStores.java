package io.headgate.state;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.LocalMapStats;
import com.hazelcast.query.Predicates;
import io.headgate.directory.DirectoryConfig;
import io.headgate.observe.Meters;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a member keeps for its cluster: the maps, and how full its part of each is. */
final class MemberStores {
  private static final long NO_JOB = 0;

  /** State of bundles comes on top of the rest, and so gets little. */
  private static final int PARTS_FOR_CELLS = 16;

  /** The attribute by which a member tells the others how many timelines it keeps. */
  private static final String BOUNDS = "headgate.timeline.bounds";

  private final List<MapConfig> maps;
  private final Map<String, MapFill> fills;

  private final MapFill timelines;
  private final TimelineLimits limits;
  private final String bounds;

  MemberStores(
      ClusterConfig cluster,
      FenceConfig fence,
      DirectoryConfig directory,
      TimelineConfig timelines,
      long bundleStateBytes) {
    limits = timelines.limits();
    bounds = timelines.jobs() + " " + limits.jobBytes() + " " + limits.retentionMillis();
    long heap = Runtime.getRuntime().maxMemory();
    long timelineBytes = MapFill.ofTimelines(timelines.bytes(), heap);
    this.timelines = new MapFill(timelineBytes);
    maps = new ArrayList<>(StoreMaps.fn(cluster));
    maps.add(StoreMaps.fence(fence, cluster));
    maps.add(StoreMaps.directory(directory, cluster));
    maps.add(StoreMaps.timelines(timelines, cluster));
    maps.add(StoreMaps.history(cluster));
    fills =
        Map.of(
            StoreMaps.FENCE, new MapFill(StoreMaps.FENCE_BYTES),
            StoreMaps.DIRECTORY,
                new MapFill(
                    Math.min(
                        directory.bytes(), MapFill.within(Long.MAX_VALUE, heap) - timelineBytes)),
            StoreMaps.CELLS, new MapFill(Math.min(bundleStateBytes, heap / PARTS_FOR_CELLS)),
            StoreMaps.COMMITS, new MapFill(StoreMaps.COMMIT_BYTES),
            StoreMaps.DESCRIPTORS, new MapFill(StoreMaps.DESCRIPTOR_BYTES));
  }

  /** Sets a member up for it, before it starts. */
  void addTo(Config settings) {
    maps.forEach(settings::addMapConfig);
    fills.forEach((map, fill) -> fill.addTo(settings, map));
    timelines.addTo(settings, StoreMaps.TIMELINES);
    settings.getUserContext().put(TimelineMerge.LIMITS, limits);
    settings.getMemberAttributeConfig().setAttribute(BOUNDS, bounds);
    StateSerializers.ALL.forEach(settings.getSerializationConfig()::addSerializerConfig);
  }

  /** Whether {@code other} keeps as much of timelines; one that does not say is taken to. */
  boolean keepsAsMuchAs(Member other) {
    String theirs = other.getAttribute(BOUNDS);
    return theirs == null || theirs.equals(bounds);
  }

  /**
   * Blocks for a moment, so that the first use of a map does not: the maps are made, and the
   * classes of calls are loaded, by calls about a job that can't be.
   */
  void prepare(HazelcastInstance started) {
    for (MapConfig config : maps) {
      IMap<Long, byte[]> map = started.getMap(config.getName());
      map.getAsync(NO_JOB);
      map.submitToKey(NO_JOB, new DirectoryRemove());
    }
  }

  /** Looks how full the maps are. Takes a while, so it belongs on a thread that may. */
  void measure(HazelcastInstance member) {
    fills.forEach((map, fill) -> fill.measure(member.getMap(map).getLocalMapStats()));
    measureTimelines(member);
  }

  /** Goes through those that this member owns, where there are any. */
  private void measureTimelines(HazelcastInstance member) {
    IMap<Long, Timeline> map = member.getMap(StoreMaps.TIMELINES);
    LocalMapStats stats = map.getLocalMapStats();
    Set<Long> owned = stats.getOwnedEntryCount() == 0 ? Set.of() : new MapParts(member).owned();
    timelines.measure(
        stats,
        owned.isEmpty()
            ? 0
            : map.aggregate(
                new TimelineSizes(),
                Predicates.multiPartitionPredicate(owned, Predicates.alwaysTrue())));
  }

  void observe(Meters meters) {
    fills.forEach((map, fill) -> observe(map.replace("headgate-", ""), fill, meters));
    observeOwned("timelines", timelines, meters);
    meters.counter(
        "headgate.map.refused", "Changes without room.", timelines::refused, "map", "timelines");
  }

  private static void observe(String map, MapFill fill, Meters meters) {
    observeOwned(map, fill, meters);
    meters.gauge("headgate.map.copies.bytes", "Bytes of copies.", fill::copyBytes, "map", map);
  }

  private static void observeOwned(String map, MapFill fill, Meters meters) {
    meters.gauge("headgate.map.bytes", "Bytes of those.", fill::bytes, "map", map);
    meters.gauge("headgate.map.bytes.limit", "Bytes it may own.", fill::mostBytes, "map", map);
    meters.gauge("headgate.map.entries", "Entries that it owns.", fill::entries, "map", map);
    meters.gauge("headgate.map.copies.entries", "Copies of others'.", fill::copies, "map", map);
    meters.counter("headgate.map.evicted", "Entries gone early.", fill::evicted, "map", map);
  }
}
