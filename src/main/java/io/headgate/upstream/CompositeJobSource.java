package io.headgate.upstream;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.Visit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Several sources as one, asked one after the other (L22, L25).
 *
 * <h2>Which answer counts</h2>
 *
 * The first source that has the job as active decides, whatever its graph is like, and later ones
 * are not asked. A retained record counts only after every other source has said that the job is
 * not active there; the first one found is it. So while a source can't be asked, there is no
 * retained answer: it might have the job as active. For the same reason a later source's active
 * record without a usable graph does not count then.
 *
 * <h2>Deadlines</h2>
 *
 * Each source gets an equal share of the time that is left, so that one that hangs leaves some to
 * those behind it. A source that does not keep its deadline keeps the others from being asked.
 *
 * <p>Safe on any thread; a source is asked on the thread that the one before it answered on.
 */
public final class CompositeJobSource implements JobGraphSource {
  private final List<JobGraphSource> sources;

  /**
   * @param sources in the order in which they are asked
   */
  public CompositeJobSource(List<JobGraphSource> sources) {
    this.sources = List.copyOf(sources);
  }

  @Override
  public Call<Lookup> lookup(long jobId, Deadline deadline) {
    Round round = new Round(jobId, deadline);
    round.ask(0);
    return new Call<>(round.answer, round.ended, round::visits);
  }

  /** One lookup's way through the sources; one of them at a time, so it needs no lock. */
  private final class Round {
    final CompletableFuture<Lookup> answer = new CompletableFuture<>();
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final long jobId;
    private final Deadline deadline;
    private final List<Call<Lookup>> asked = new CopyOnWriteArrayList<>();
    private @Nullable Lookup retained;
    private Lookup.@Nullable Unavailable unavailable;

    Round(long jobId, Deadline deadline) {
      this.jobId = jobId;
      this.deadline = deadline;
    }

    void ask(int index) {
      if (index == sources.size()) {
        decide(atTheEnd());
        return;
      }
      Call<Lookup> call;
      try {
        call = sources.get(index).lookup(jobId, share(sources.size() - index));
      } catch (Throwable e) {
        // Also errors: whoever counts the permit must get a call that ends.
        fail(e);
        return;
      }
      asked.add(call);
      call.answer()
          .whenComplete(
              (lookup, failure) -> {
                if (failure != null) {
                  fail(failure);
                } else if (!isDecidedBy(lookup)) {
                  ask(index + 1);
                }
              });
    }

    List<Visit> visits() {
      return asked.stream().flatMap(call -> call.visits().get().stream()).toList();
    }

    private Deadline share(int askers) {
      if (askers == 1) {
        return deadline;
      }
      return Deadline.in(Duration.ofNanos(deadline.remainingNanos() / askers));
    }

    private boolean isDecidedBy(Lookup lookup) {
      if (lookup instanceof Lookup.Unavailable reason) {
        unavailable = unavailable == null ? reason : unavailable;
        return false;
      }
      if (lookup instanceof Lookup.NotFound) {
        return false;
      }
      if (isRetained(lookup)) {
        retained = retained == null ? lookup : retained;
        return false;
      }
      boolean usable = lookup instanceof Lookup.Found;
      decide(usable || unavailable == null ? lookup : unavailable);
      return true;
    }

    private Lookup atTheEnd() {
      if (unavailable != null) {
        return unavailable;
      }
      return retained == null ? new Lookup.NotFound() : retained;
    }

    private void decide(Lookup lookup) {
      answer.complete(lookup);
      endWithAll();
    }

    private void fail(Throwable failure) {
      answer.completeExceptionally(failure);
      endWithAll();
    }

    private void endWithAll() {
      CompletableFuture.allOf(
              asked.stream()
                  .map(call -> call.ended().handle((done, failure) -> "").toCompletableFuture())
                  .toArray(CompletableFuture<?>[]::new))
          .whenComplete((done, failure) -> ended.complete(null));
    }
  }

  private static boolean isRetained(Lookup lookup) {
    return lookup instanceof Lookup.Found found && found.retained()
        || lookup instanceof Lookup.Inconsistent inconsistent && inconsistent.retained()
        || lookup instanceof Lookup.TooLarge tooLarge && tooLarge.retained();
  }
}
