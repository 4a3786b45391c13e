package io.headgate.state;

import io.headgate.graph.Execution;
import io.headgate.state.ServedJob.Passage;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Arbitrary histories of one job: answers of few executions, so that they meet again and again. */
final class ServedJobs {
  static final FenceConfig CONFIG = FenceConfig.DEFAULT;
  static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  /** An answer of some execution, with a name form or without, at some time. */
  record Answer(Execution execution, byte @Nullable [] digest, long[] ids, long afterMillis) {}

  private ServedJobs() {}

  static Arbitrary<Execution> executions() {
    Arbitrary<Execution> texts =
        Arbitraries.integers()
            .between(0, 40)
            .map(
                i ->
                    Execution.ofLocalTime(
                        "2026-11-%02d %02d:00:00".formatted(29 + i / 24, i % 24)));
    Arbitrary<Execution> unordered = Arbitraries.of("x", "y").map(Execution::ofLocalTime);
    Arbitrary<Execution> epochs =
        Arbitraries.integers()
            .between(1, 6)
            .map(i -> Execution.ofEpoch(i, NOON.plusSeconds(36_000L * (i - 3))));
    return Arbitraries.oneOf(texts, unordered, epochs);
  }

  static Arbitrary<Answer> answers() {
    Arbitrary<Integer> forms = Arbitraries.integers().between(0, 3);
    Arbitrary<long[]> ids = Arbitraries.longs().array(long[].class).ofSize(3);
    Arbitrary<Long> pauses = Arbitraries.longs().between(0, CONFIG.hold().toMillis());
    return Combinators.combine(executions(), forms, ids, pauses)
        .as((execution, form, own, pause) -> new Answer(execution, digest(form), own, pause));
  }

  static Arbitrary<List<Answer>> histories() {
    return answers().list().ofMinSize(1).ofMaxSize(12);
  }

  static Arbitrary<ServedJob> jobs() {
    return histories().map(history -> after(null, history));
  }

  static ServedJob after(@Nullable ServedJob job, List<Answer> history) {
    ServedJob now = job;
    long millis = 0;
    for (Answer answer : history) {
      millis += answer.afterMillis();
      now = pass(now, answer, millis).next();
    }
    return java.util.Objects.requireNonNull(now);
  }

  static Passage pass(@Nullable ServedJob job, Answer answer, long millis) {
    return ServedJob.pass(job, answer.execution(), answer.digest(), answer.ids(), CONFIG, millis);
  }

  static byte @Nullable [] digest(int form) {
    if (form == 0) {
      return null;
    }
    byte[] digest = new byte[32];
    digest[0] = (byte) form;
    return digest;
  }
}
