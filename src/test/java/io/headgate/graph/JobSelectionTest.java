package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Which jobs are kept where not all can be. */
class JobSelectionTest {
  private static JobSummary job(long id, boolean active, int day, String name) {
    JobTime created = day == 0 ? null : new JobTime(day, false);
    return new JobSummary(
        id, name, active ? JobStatus.RUNNING : JobStatus.FINISHED, active, created, null);
  }

  private static JobSelection kept(int most, List<JobSummary> jobs) {
    JobSelection selection = new JobSelection(most);
    jobs.forEach(selection::add);
    return selection;
  }

  @Test
  void active_jobs_come_before_ended_ones_and_newer_before_older() {
    List<JobSummary> ranked =
        List.of(
            job(1, true, 9, "n"),
            job(2, true, 8, "n"),
            job(3, true, 0, "n"),
            job(6, false, 9, "n"),
            job(5, false, 9, "n"),
            job(4, false, 0, "n"));
    List<JobSummary> shuffled = new ArrayList<>(ranked);
    Collections.reverse(shuffled);

    assertThat(kept(6, shuffled).jobs()).isEqualTo(ranked);
    assertThat(kept(6, shuffled).leftOut()).isFalse();
    assertThat(kept(2, shuffled).jobs()).isEqualTo(ranked.subList(0, 2));
    assertThat(kept(2, shuffled).leftOut()).isTrue();
  }

  @Test
  void a_job_that_ended_and_runs_again_is_kept_once() {
    JobSummary ended = job(1, false, 1, "n");
    JobSummary active = job(1, true, 2, "n");

    for (List<JobSummary> order : List.of(List.of(ended, active), List.of(active, ended))) {
      JobSelection selection = kept(10, order);
      assertThat(selection.jobs()).containsExactly(active);
      assertThat(selection.leftOut()).isFalse();
    }
  }

  @Test
  void of_two_that_say_the_same_of_one_job_the_first_is_kept() {
    JobSelection selection = new JobSelection(10);
    JobSummary first = job(1, true, 1, "first");

    assertThat(selection.add(first)).isTrue();
    assertThat(selection.add(job(1, true, 1, "second"))).isFalse();
    assertThat(selection.jobs()).containsExactly(first);
  }

  @Test
  void names_are_kept_within_a_budget_of_characters() {
    String name = "x".repeat(64 * 1024);
    JobSelection selection = new JobSelection(10_000);
    for (int id = 1; id <= 100; id++) {
      selection.add(job(id, true, id, name));
    }
    assertThat(selection.jobs()).hasSize(JobSelection.MOST_NAME_CHARS / name.length());
    assertThat(selection.jobs().get(0).jobId()).isEqualTo(100);
    assertThat(selection.leftOut()).isTrue();
  }

  @Property
  void what_is_kept_is_the_beginning_of_the_ranking_in_whatever_order_jobs_come(
      @ForAll("someJobs") List<JobSummary> jobs, @ForAll @IntRange(min = 1, max = 12) int most) {
    Set<Long> ids = new LinkedHashSet<>();
    List<JobSummary> ranked =
        jobs.stream().sorted(JobSummary.FIRST_TO_KEEP).filter(job -> ids.add(job.jobId())).toList();
    List<JobSummary> shuffled = new ArrayList<>(jobs);
    Collections.shuffle(shuffled, new Random(most));

    for (List<JobSummary> order : List.of(jobs, shuffled)) {
      JobSelection selection = kept(most, order);
      assertThat(selection.jobs()).isEqualTo(ranked.stream().limit(most).toList());
      assertThat(selection.leftOut()).isEqualTo(ranked.size() > most);
    }
  }

  @Provide
  Arbitrary<List<JobSummary>> someJobs() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 10),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(0, 4))
        .as((id, active, day) -> job(id, active, day, "n"))
        .list()
        .ofMaxSize(20);
  }
}
