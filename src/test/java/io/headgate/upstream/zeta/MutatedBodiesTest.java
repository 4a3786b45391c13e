package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReferenceProjection;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.Unavailability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Recorded bodies with small damage, many of them, always the same ones: the reader never fails,
 * its verdict on what is JSON is a strict parser's, and a graph it does give is the one in the
 * text.
 */
class MutatedBodiesTest {
  /** Enough for every run; {@code -Dfuzz.mutations} and {@code -Dfuzz.seed} look further. */
  private static final int MUTATIONS = Integer.getInteger("fuzz.mutations", 20_000);

  private static final long SEED = Long.getLong("fuzz.seed", 20_261_130L);

  private static final List<String> PIECES =
      List.of(
          "\"",
          "\\",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "null",
          "true",
          "1",
          "0",
          "-",
          ".5",
          "e9",
          "\\u0000",
          "\\ud83d",
          "\\\\",
          " \n\t",
          "\u0001",
          "\"jobDag\":",
          "\"jobId\":7,",
          "\"vertexId\":1,",
          "\"type\":\"sink\",",
          "\"tablePaths\":[null,\"\"],",
          "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
          "9223372036854775808",
          "default.default.default",
          "11111111111111111111111111111111111111111111111111111111111111111111111111");

  private static final Set<String> WANTED =
      Set.of("jobId", "jobStatus", "createTime", "finishTime", "jobDag");

  /** Strict, and without bounds of its own. */
  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private enum Verdict {
    OBJECT,
    /** One object, but a member that matters comes twice, which we refuse and Jackson takes. */
    OBJECT_WITH_REPEATS,
    NO_OBJECT
  }

  private enum Outcome {
    FOUND,
    NOT_FOUND,
    INCONSISTENT,
    TOO_LARGE,
    UNAVAILABLE
  }

  @Test
  @Timeout(600)
  void E_B5_damaged_bodies_end_in_a_closed_set_of_outcomes_and_never_in_a_wrong_graph()
      throws IOException {
    List<Recording> recordings =
        Recording.ofOneJob().stream().filter(recording -> recording.status() == 200).toList();
    JobInfoParser parser = new JobInfoParser(GraphLimits.DEFAULT);
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    Random random = new Random(SEED);
    for (int i = 0; i < MUTATIONS; i++) {
      Recording recording = recordings.get(i % recordings.size());
      byte[] body = recording.body();
      for (int times = 1 + random.nextInt(6) / 4; times > 0; times--) {
        body = mutated(body, random);
      }
      String what = "mutation " + i + " of " + recording;
      Lookup lookup;
      JobInfoSlicer slicer;
      try {
        slicer = Reading.sliced(body, 1 + random.nextInt(4_000), Reading.MAX_BYTES);
        lookup = parser.parse(slicer, recording.jobId());
      } catch (RuntimeException e) {
        throw new AssertionError(what + ": " + text(body), e);
      }
      outcomes.merge(outcome(lookup, what), 1, Integer::sum);
      checkVerdict(slicer, body, what);
      if (slicer.excess() == null) {
        assertThat(lookup instanceof Lookup.Unavailable || slicer.complete())
            .as("%s: an answer needs a complete object: %s", what, text(body))
            .isTrue();
      }
      if (lookup instanceof Lookup.Found found) {
        checkGraph(found, body, what);
      }
    }
    assertThat(outcomes)
        .as("the damage is small enough to meet every outcome often")
        .containsOnlyKeys(Outcome.values())
        .allSatisfy((outcome, times) -> assertThat(times).isGreaterThan(20));
  }

  private static Outcome outcome(Lookup lookup, String what) {
    if (lookup instanceof Lookup.Unavailable unavailable) {
      assertThat(unavailable.reason()).as(what).isEqualTo(Unavailability.UPSTREAM_BODY);
      return Outcome.UNAVAILABLE;
    }
    if (lookup instanceof Lookup.Found) {
      return Outcome.FOUND;
    }
    if (lookup instanceof Lookup.NotFound) {
      return Outcome.NOT_FOUND;
    }
    return lookup instanceof Lookup.TooLarge ? Outcome.TOO_LARGE : Outcome.INCONSISTENT;
  }

  private static void checkVerdict(JobInfoSlicer slicer, byte[] body, String what) {
    if (slicer.excess() != null) {
      return; // a bound of ours, which the strict parser does not have
    }
    Verdict verdict = strictly(body);
    if (verdict != Verdict.OBJECT_WITH_REPEATS) {
      assertThat(slicer.complete())
          .as("%s: is this one JSON object? %s", what, text(body))
          .isEqualTo(verdict == Verdict.OBJECT);
    }
  }

  /**
   * Only the structure is judged, not whether strings are well-formed Unicode: Latin-1 keeps every
   * byte a character, and escaped surrogates, which Jackson refuses in names alone, become others.
   */
  private static Verdict strictly(byte[] body) {
    Set<String> seen = new HashSet<>();
    boolean repeats = false;
    try (JsonParser json = STRICT.createParser(withoutSurrogates(body))) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Verdict.NO_OBJECT;
      }
      int depth = 1;
      while (depth > 0) {
        JsonToken token = json.nextToken();
        if (token == null) {
          return Verdict.NO_OBJECT;
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 1 && token == JsonToken.FIELD_NAME && WANTED.contains(json.currentName())) {
          repeats |= !seen.add(json.currentName());
        }
      }
      if (json.nextToken() != null) {
        return Verdict.NO_OBJECT;
      }
      return repeats ? Verdict.OBJECT_WITH_REPEATS : Verdict.OBJECT;
    } catch (IOException e) {
      return Verdict.NO_OBJECT;
    }
  }

  private static void checkGraph(Lookup.Found found, byte[] body, String what) {
    ReportedGraph expected;
    try {
      // No graph that is given has an escaped surrogate: none of the pieces is a low one.
      expected = Reading.throughTree(withoutSurrogates(body).getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      // Damage to the UTF-8 of something that is passed over: the tree can't be built around it.
      assertThat(new String(body, StandardCharsets.UTF_8))
          .as("%s: no tree: %s", what, text(body))
          .contains("\uFFFD");
      return;
    }
    assertThat(ReportedGraph.json(found.graph()))
        .as("%s: %s", what, text(body))
        .isEqualTo(ReferenceProjection.json(expected));
  }

  private static byte[] mutated(byte[] body, Random random) {
    if (body.length == 0) {
      return new byte[] {'{'};
    }
    int at = random.nextInt(body.length);
    int end = Math.min(body.length, at + 1 + random.nextInt(random.nextInt(8) == 0 ? 400 : 4));
    byte[] cut = Arrays.copyOfRange(body, at, end);
    return switch (random.nextInt(14)) {
      case 0 -> joined(body, at, new byte[] {(byte) random.nextInt(256)}, at + 1);
      case 1 -> joined(body, at, new byte[] {(byte) (body[at] ^ 1 << random.nextInt(8))}, at + 1);
      case 2 -> joined(body, at, new byte[0], end);
      case 3 -> joined(body, end, cut, end);
      case 4 -> joined(body, at, piece(random), at);
      case 5 -> joined(body, at, piece(random), end);
      case 6 -> joined(body, random.nextInt(body.length), cut, -1);
      case 7 -> random.nextInt(10) == 0 ? Arrays.copyOf(body, at) : cut;
      case 8, 9 -> afterComma(body, at, random);
      default -> digit(body, at, random);
    };
  }

  /** Damage right behind a comma, where a member or an element begins. */
  private static byte[] afterComma(byte[] body, int at, Random random) {
    int place = at;
    while (place < body.length && body[place] != ',') {
      place++;
    }
    place = Math.min(body.length, place + 1);
    return joined(body, place, piece(random), place);
  }

  /** Another digit for the next one, which keeps the text JSON and changes what it says. */
  private static byte[] digit(byte[] body, int at, Random random) {
    int place = at;
    while (place < body.length - 1 && (body[place] < '0' || body[place] > '9')) {
      place++;
    }
    return joined(body, place, new byte[] {(byte) ('0' + random.nextInt(10))}, place + 1);
  }

  private static byte[] piece(Random random) {
    return PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The head of {@code body}, {@code between}, and its tail; a negative tail begins at the head's
   * end.
   */
  private static byte[] joined(byte[] body, int head, byte[] between, int tail) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + between.length);
    out.write(body, 0, head);
    out.writeBytes(between);
    int from = Math.min(body.length, tail < 0 ? head : tail);
    out.write(body, from, body.length - from);
    return out.toByteArray();
  }

  private static String withoutSurrogates(byte[] body) {
    return text(body).replaceAll("\\\\u[dD]", "\\\\ue");
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.ISO_8859_1);
  }
}
