package io.headgate.graph;

import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Digests;
import io.headgate.wire.JsonText;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A graph with its ids taken out and names put in their place (L22b): engines recompute ids on
 * every read, names stay. Two graphs with equal digests are the same graph but for their numbering.
 *
 * <p>Exists only where names are unique in the job. Immutable; holds a digest and ranks, no text.
 */
public final class NameForm {
  private static final int BLOCK_BYTES = 16 * 1024;

  private final byte[] digest;
  private final int[] ranksByName;

  private NameForm(byte[] digest, int[] ranksByName) {
    this.digest = digest;
    this.ranksByName = ranksByName;
  }

  /** The name form of {@code graph}, or null if two nodes share a name. */
  public static @Nullable NameForm of(JobGraph graph) {
    int count = graph.nodeCount();
    Integer[] byName = new Integer[count];
    Arrays.setAll(byName, i -> i);
    Arrays.sort(byName, Comparator.comparing(graph::name));
    int[] ranksByName = new int[count];
    int[] places = new int[count];
    for (int place = 0; place < count; place++) {
      int rank = byName[place];
      if (place > 0 && graph.name(rank).equals(graph.name(ranksByName[place - 1]))) {
        return null;
      }
      ranksByName[place] = rank;
      places[rank] = place;
    }
    return new NameForm(digest(graph, ranksByName, places), ranksByName);
  }

  private static byte[] digest(JobGraph graph, int[] ranksByName, int[] places) {
    MessageDigest sha = Digests.sha256();
    CappedBuffer block = new CappedBuffer(2 * BLOCK_BYTES, Integer.MAX_VALUE);
    block.putPacked(ranksByName.length, Integer.BYTES);
    for (int rank : ranksByName) {
      boolean plain = graph.isPlain(rank);
      String[] paths = graph.pathArray(rank);
      JsonText.writeQuoted(graph.name(rank), plain, block);
      block.put((byte) graph.kind(rank).ordinal());
      block.put((byte) (graph.datasetMetadataMissing(rank) ? 1 : 0));
      block.putPacked(paths.length, Integer.BYTES);
      for (String path : paths) {
        JsonText.writeQuoted(path, plain, block);
        hashFull(block, sha);
      }
      hashFull(block, sha);
    }
    putEdges(graph, places, block, sha);
    sha.update(block.array(), 0, block.length());
    return sha.digest();
  }

  /** Edges by pipeline and by the places of their ends; how many of both stands behind them. */
  private static void putEdges(
      JobGraph graph, int[] places, CappedBuffer block, MessageDigest sha) {
    int count = graph.edgeCount();
    int rankBits = JobGraph.rankBits(places.length);
    long[] keys = new long[count];
    int pipelineRank = -1;
    for (int i = 0; i < count; i++) {
      if (i == 0 || graph.edgePipeline(i) != graph.edgePipeline(i - 1)) {
        pipelineRank++;
        block.putPacked(graph.edgePipeline(i), Integer.BYTES);
        hashFull(block, sha);
      }
      keys[i] =
          JobGraph.pack(
              pipelineRank, places[graph.edgeSource(i)], places[graph.edgeTarget(i)], rankBits);
    }
    keys = RadixSort.sort(keys, JobGraph.keyBits(pipelineRank + 1, rankBits));
    for (long key : keys) {
      block.putPacked(key, Long.BYTES);
      hashFull(block, sha);
    }
    block.putPacked(pipelineRank, Integer.BYTES);
    block.putPacked(count, Integer.BYTES);
  }

  /** Hashing each small piece by itself would cost more than the hash. */
  private static void hashFull(CappedBuffer block, MessageDigest sha) {
    if (block.length() >= BLOCK_BYTES) {
      sha.update(block.array(), 0, block.length());
      block.clear();
    }
  }

  /** The SHA-256 of the name form. */
  public byte[] digest() {
    return digest.clone();
  }

  /** The ids of {@code graph}, of which this is the form, in the order of the names. */
  public long[] idsInNameOrder(JobGraph graph) {
    long[] ids = new long[ranksByName.length];
    for (int place = 0; place < ids.length; place++) {
      ids[place] = graph.nodeId(ranksByName[place]);
    }
    return ids;
  }

  /**
   * {@code graph}, of which this is the form, under ids that an equal graph was served with.
   *
   * @param served ids in the order of the names; ignored if it does not fit the graph
   */
  public JobGraph renumber(JobGraph graph, long[] served) {
    if (served.length != ranksByName.length || Arrays.equals(served, idsInNameOrder(graph))) {
      return graph;
    }
    long[] byRank = new long[served.length];
    for (int place = 0; place < served.length; place++) {
      byRank[ranksByName[place]] = served[place];
    }
    return graph.renumbered(byRank);
  }
}
