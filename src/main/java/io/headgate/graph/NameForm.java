package io.headgate.graph;

import io.headgate.wire.Digests;
import io.headgate.wire.Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    Sink sink = new Sink();
    sink.putInt(ranksByName.length);
    for (int rank : ranksByName) {
      sink.putText(graph.name(rank));
      sink.putInt(graph.kind(rank).ordinal() << 1 | (graph.datasetMetadataMissing(rank) ? 1 : 0));
      Text[] paths = graph.pathArray(rank);
      sink.putInt(paths.length);
      for (Text path : paths) {
        sink.putText(path);
      }
    }
    sink.putEdges(graph, places);
    return sink.finish();
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

  /** Feeds a SHA-256 through a block, since calling it for every small piece costs more than it. */
  private static final class Sink {
    private static final int BLOCK = 8 * 1024;

    private final MessageDigest sha = Digests.sha256();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);

    void putInt(int value) {
      if (block.remaining() < Integer.BYTES) {
        flush();
      }
      block.putInt(value);
    }

    void putLong(long value) {
      if (block.remaining() < Long.BYTES) {
        flush();
      }
      block.putLong(value);
    }

    void putText(Text text) {
      byte[] bytes = text.value().getBytes(StandardCharsets.UTF_8);
      putInt(bytes.length);
      if (bytes.length > block.remaining()) {
        flush();
        sha.update(bytes);
      } else {
        block.put(bytes);
      }
    }

    /** Edges by pipeline and by the places of their ends in the order of the names. */
    void putEdges(JobGraph graph, int[] places) {
      int count = graph.edgeCount();
      int rankBits = JobGraph.rankBits(places.length);
      int[] pipelines = new int[count];
      long[] keys = new long[count];
      int pipelineRank = -1;
      for (int i = 0; i < count; i++) {
        if (i == 0 || graph.edgePipeline(i) != graph.edgePipeline(i - 1)) {
          pipelines[++pipelineRank] = graph.edgePipeline(i);
        }
        keys[i] =
            JobGraph.pack(
                pipelineRank, places[graph.edgeSource(i)], places[graph.edgeTarget(i)], rankBits);
      }
      keys = RadixSort.sort(keys, JobGraph.keyBits(pipelineRank + 1, rankBits));
      putInt(pipelineRank + 1);
      for (int i = 0; i <= pipelineRank; i++) {
        putInt(pipelines[i]);
      }
      putInt(count);
      for (long key : keys) {
        putLong(key);
      }
    }

    byte[] finish() {
      flush();
      return sha.digest();
    }

    private void flush() {
      block.flip();
      sha.update(block);
      block.clear();
    }
  }
}
