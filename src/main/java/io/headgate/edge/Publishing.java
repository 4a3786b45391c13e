package io.headgate.edge;

import io.headgate.directory.DirectoryUnavailableException;
import io.headgate.directory.JobDirectory;
import io.headgate.directory.PublishOutcome;
import io.headgate.graph.Call;
import io.headgate.graph.Unavailability;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.upstream.zeta.PublicationParser;
import io.headgate.upstream.zeta.PublicationParser.Parsed;
import io.headgate.wire.CappedBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What HTTP publishes goes through here: from a whole body to the directory and to the answer. Safe
 * on any thread; never blocks the caller, and answers never complete exceptionally.
 */
public final class Publishing {
  private static final Logger log = LoggerFactory.getLogger(Publishing.class);

  private static final Reply PUBLISHED = Reply.ok("published", "{\"result\":\"PUBLISHED\"}");
  private static final Reply UNCHANGED = Reply.ok("unchanged", "{\"result\":\"UNCHANGED\"}");
  private static final Reply REMOVED = Reply.ok("removed", "{\"result\":\"REMOVED\"}");

  private final JobDirectory directory;
  private final PublicationParser parser;
  private final int bodyBytes;
  private final Executor workers;

  /**
   * @param bodyBytes the most bytes of a publication's body
   * @param workers where bodies are parsed; it must have a free thread for every publication
   */
  public Publishing(
      JobDirectory directory, PublicationParser parser, int bodyBytes, Executor workers) {
    this.directory = directory;
    this.parser = parser;
    this.bodyBytes = bodyBytes;
    this.workers = workers;
  }

  int bodyBytes() {
    return bodyBytes;
  }

  /** Begins to publish what {@code body} says of a job; the body is handed over. */
  Call<Reply> publish(long jobId, CappedBuffer body) {
    CompletableFuture<Call<Reply>> begun;
    try {
      begun = CompletableFuture.supplyAsync(() -> parseAndPublish(jobId, body), workers);
    } catch (RejectedExecutionException e) {
      return Call.of(unavailable(Unavailability.STOPPING)); // there is a worker for every permit
    }
    CompletionStage<Reply> answer =
        begun.thenCompose(Call::answer).exceptionally(Publishing::failed);
    CompletionStage<?> ended =
        begun
            .<CompletionStage<?>>handle((call, failure) -> call == null ? answer : call.ended())
            .thenCompose(stage -> stage);
    return new Call<>(answer, ended);
  }

  private Call<Reply> parseAndPublish(long jobId, CappedBuffer body) {
    Parsed parsed = parser.parse(body.content(), jobId);
    if (parsed instanceof Parsed.Accepted accepted) {
      return directory.publish(accepted.publication()).map(Publishing::reply);
    }
    if (parsed instanceof Parsed.Inconsistent inconsistent) {
      return Call.of(Reply.of(ErrorCode.INVALID_JOB_GRAPH, inconsistent.reason().label()));
    }
    if (parsed instanceof Parsed.TooLarge tooLarge) {
      return Call.of(Reply.of(ErrorCode.LINEAGE_GRAPH_TOO_LARGE, tooLarge.reason().label()));
    }
    return Call.of(Reply.of(ErrorCode.INVALID_BODY));
  }

  /** Begins to remove everything that is known of a job. */
  Call<Reply> remove(long jobId) {
    try {
      Call<Reply> removal =
          directory.remove(jobId).map(known -> known ? REMOVED : Reply.of(ErrorCode.JOB_NOT_FOUND));
      return new Call<>(removal.answer().exceptionally(Publishing::failed), removal.ended());
    } catch (RuntimeException e) {
      return Call.of(failed(e));
    }
  }

  private static Reply reply(PublishOutcome outcome) {
    return switch (outcome) {
      case PUBLISHED -> PUBLISHED;
      case UNCHANGED -> UNCHANGED;
      case STALE_EPOCH -> Reply.of(ErrorCode.STALE_EPOCH);
      case ENDED -> Reply.of(ErrorCode.EXECUTION_ENDED);
      case FULL -> Reply.of(ErrorCode.DIRECTORY_FULL);
    };
  }

  private static Reply unavailable(Unavailability reason) {
    return Reply.of(ErrorCode.DIRECTORY_TEMPORARILY_UNAVAILABLE, reason.label());
  }

  private static Reply failed(Throwable failure) {
    Throwable cause = UnexpectedFailure.cause(failure);
    if (cause instanceof DirectoryUnavailableException known) {
      return unavailable(known.reason());
    }
    UnexpectedFailure.report(log, "publication", cause);
    return Reply.of(ErrorCode.INTERNAL_ERROR, "internal");
  }
}
