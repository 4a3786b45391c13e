package io.headgate.graph;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The sort of packed edges against the library's, at the limit and around the size where the
 * library takes over. Both sides pay for the copy that leaves the keys unsorted for the next round.
 *
 * <pre>{@code mvn -Pbench test-compile exec:exec -Dbench.include=CoreSort}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CoreSortBenchmark {
  /** 50,000 edges of 10,000 nodes in 20 pipelines: 14 + 14 + 5 bits. */
  private static final int BITS = 33;

  @Param({"512", "50000"})
  public int keys;

  private long[] unsorted;

  @Setup
  public void keys() {
    unsorted = new Random(keys).longs(keys, 0, 1L << BITS).toArray();
  }

  @Benchmark
  public long[] radix() {
    return RadixSort.sort(unsorted.clone(), BITS);
  }

  @Benchmark
  public long[] library() {
    long[] sorted = unsorted.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
