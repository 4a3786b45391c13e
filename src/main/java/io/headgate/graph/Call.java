package io.headgate.graph;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Work under way. Its answer and its end are two things (L16): a source may answer, or be given up
 * on, while a call that it can't take back is still open.
 *
 * @param answer completes with what there is to say; completing it exceptionally is a fault of
 *     whoever does the work and becomes a 500
 * @param ended completes, however, when nothing of the work is open any more, and never before
 *     {@code answer}. It must complete in the end: the permit comes back with it
 * @param visits gives what has been asked of others so far; on any thread
 */
public record Call<T>(
    CompletionStage<T> answer, CompletionStage<?> ended, Supplier<List<Visit>> visits) {
  /** Work that asks nobody else, or does not tell. */
  public Call(CompletionStage<T> answer, CompletionStage<?> ended) {
    this(answer, ended, List::of);
  }

  /** Work that ends with its answer. */
  public static <T> Call<T> of(CompletionStage<T> answer) {
    return new Call<>(answer, answer);
  }

  /** Work that is done already. */
  public static <T> Call<T> of(T answer) {
    return of(CompletableFuture.completedStage(answer));
  }

  /** The same work with its answer looked at in another way. */
  public <R> Call<R> map(Function<? super T, ? extends R> view) {
    CompletionStage<R> mapped = answer.thenApply(view);
    return new Call<>(mapped, mapped.handle((a, e) -> ended).thenCompose(stage -> stage), visits);
  }
}
