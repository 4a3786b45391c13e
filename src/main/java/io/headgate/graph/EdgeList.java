package io.headgate.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Edges as they are reported: pipeline by pipeline, ends by id. Kept in pages, so that a graph of
 * the largest size costs no copies on the way there; an edge takes one {@code long} as long as
 * every id fits into an {@code int}, as engines' ids do, and two from the first larger one on. Not
 * thread-safe.
 */
final class EdgeList {
  private static final int PAGE_BITS = 10;
  private static final int PAGE = 1 << PAGE_BITS;

  private final List<long[]> pages = new ArrayList<>();
  private boolean wide;
  private int size;

  // Edges of one pipeline follow each other: where each run begins, and whose it is.
  private int[] runStarts = new int[4];
  private int[] runPipelines = new int[4];
  private int runs;

  void add(int pipelineId, long source, long target) {
    if (runs == 0 || runPipelines[runs - 1] != pipelineId) {
      beginRun(pipelineId);
    }
    if (!wide && ((int) source != source || (int) target != target)) {
      widen();
    }
    int at = size & (PAGE - 1);
    if (at == 0) {
      pages.add(new long[wide ? 2 * PAGE : PAGE]);
    }
    long[] page = pages.get(size >>> PAGE_BITS);
    if (wide) {
      page[2 * at] = source;
      page[2 * at + 1] = target;
    } else {
      page[at] = source << Integer.SIZE | target & 0xFFFF_FFFFL;
    }
    size++;
  }

  private void beginRun(int pipelineId) {
    if (runs == runStarts.length) {
      runStarts = Arrays.copyOf(runStarts, 2 * runs);
      runPipelines = Arrays.copyOf(runPipelines, 2 * runs);
    }
    runStarts[runs] = size;
    runPipelines[runs++] = pipelineId;
  }

  private void widen() {
    wide = true;
    pages.replaceAll(
        narrow -> {
          long[] page = new long[2 * PAGE];
          for (int at = 0; at < PAGE; at++) {
            page[2 * at] = narrow[at] >> Integer.SIZE;
            page[2 * at + 1] = (int) narrow[at];
          }
          return page;
        });
  }

  int size() {
    return size;
  }

  long source(int index) {
    long[] page = pages.get(index >>> PAGE_BITS);
    int at = index & (PAGE - 1);
    return wide ? page[2 * at] : page[at] >> Integer.SIZE;
  }

  long target(int index) {
    long[] page = pages.get(index >>> PAGE_BITS);
    int at = index & (PAGE - 1);
    return wide ? page[2 * at + 1] : (int) page[at];
  }

  /** How many runs of edges of one pipeline there are. */
  int runs() {
    return runs;
  }

  int runPipeline(int run) {
    return runPipelines[run];
  }

  /** The index behind the last edge of a run. */
  int runEnd(int run) {
    return run + 1 < runs ? runStarts[run + 1] : size;
  }

  /** The pipelines that have edges, sorted. */
  int[] distinctPipelines() {
    return Arrays.stream(runPipelines, 0, runs).sorted().distinct().toArray();
  }
}
