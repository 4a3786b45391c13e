package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sort and the search behind L4, against the library's. */
class SortedKeysTest {
  @Property(tries = 300)
  void keys_are_sorted_as_the_library_sorts_them(
      @ForAll @IntRange(max = 3_000) int count,
      @ForAll @IntRange(min = 1, max = 63) int bits,
      @ForAll Random random) {
    long[] keys = random.longs(count).map(key -> key >>> (64 - bits)).toArray();
    long[] expected = keys.clone();
    Arrays.sort(expected);
    assertThat(RadixSort.sort(keys, bits)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 511, 512, 513})
  void keys_are_sorted_on_both_sides_of_the_size_where_the_method_changes(int count) {
    long[] keys = new Random(count).longs(count, 0, 1L << 44).toArray();
    long[] expected = keys.clone();
    Arrays.sort(expected);
    assertThat(RadixSort.sort(keys, 44)).isEqualTo(expected);
  }

  @Property(tries = 300)
  void values_of_any_sign_and_span_are_sorted_as_the_library_sorts_them(
      @ForAll @IntRange(max = 2_000) int count,
      @ForAll @IntRange(max = 64) int bits,
      @ForAll long offset,
      @ForAll Random random) {
    long[] values =
        random.longs(count).map(v -> (bits == 0 ? 0 : v >>> (64 - bits)) + offset).toArray();
    long[] expected = values.clone();
    Arrays.sort(expected);
    assertThat(RadixSort.sortAny(values)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE - 5_000})
  void dense_ids_are_sorted_wherever_they_begin(long first) {
    long[] ids = new Random(1).longs(5_000, first, first + 5_000).toArray();
    long[] expected = ids.clone();
    Arrays.sort(expected);
    assertThat(RadixSort.sortAny(ids)).isEqualTo(expected);
  }

  @Test
  void packed_edges_of_the_largest_graph_keep_their_order() {
    int rankBits = JobGraph.rankBits(100_000);
    long first = JobGraph.pack(0, 99_999, 99_999, rankBits);
    long second = JobGraph.pack(1, 0, 0, rankBits);
    long last = JobGraph.pack(49_999, 99_999, 99_999, rankBits);
    assertThat(first).isLessThan(second);
    assertThat(last).isPositive().isLessThan(1L << JobGraph.keyBits(50_000, rankBits));
  }

  @Property
  void an_id_is_found_where_binary_search_finds_it(
      @ForAll @Size(max = 50) @UniqueElements long[] ids, @ForAll long other) {
    Arrays.sort(ids);
    for (int rank = 0; rank < ids.length; rank++) {
      assertThat(SortedIds.rank(ids, ids[rank])).isEqualTo(rank);
    }
    assertThat(SortedIds.rank(ids, other)).isEqualTo(Math.max(-1, Arrays.binarySearch(ids, other)));
  }

  @Property
  void an_id_is_found_among_dense_ids_with_gaps(
      @ForAll @Size(min = 1, max = 30) @UniqueElements @IntRange(max = 60) int[] picks) {
    long[] ids = Arrays.stream(picks).mapToLong(pick -> pick - 5L).sorted().toArray();
    for (long id = -10; id <= 60; id++) {
      assertThat(SortedIds.rank(ids, id))
          .as("%d among %s", id, Arrays.toString(ids))
          .isEqualTo(Math.max(-1, Arrays.binarySearch(ids, id)));
    }
  }

  @Test
  void the_extreme_ids_are_told_apart() {
    long[] ids = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE};
    assertThat(SortedIds.rank(ids, Long.MIN_VALUE)).isZero();
    assertThat(SortedIds.rank(ids, Long.MAX_VALUE)).isEqualTo(3);
    assertThat(SortedIds.rank(ids, 1)).isEqualTo(-1);
    assertThat(SortedIds.rank(new long[0], 1)).isEqualTo(-1);
  }
}
