package io.headgate.upstream.zeta;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobLister;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobSummary;
import io.headgate.graph.Unavailability;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.core.Vertx;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads which jobs an engine has, from its lists of running and of finished jobs.
 *
 * <p>Those lists carry the graph and the metrics of every job, so they are read as they stream in,
 * on the source's event loop, chunk by chunk. A reading has a connection of its own to each member,
 * takes no lineage permit and says nothing to breakers, so it can't get in the way of lookups.
 * {@link #list} may be called on any thread.
 */
final class ZetaJobLists implements JobLister {
  /** Ten thousand jobs with bodies of 25 KB; the bytes pass by, they are not kept. */
  static final long MAX_LIST_BYTES = 256L << 20;

  private final ZetaJobSource source;
  private final int maxNameBytes;

  // On the event loop only.
  private final Set<ZetaListing> underWay = new HashSet<>();
  private @Nullable ZetaMember slow;
  private boolean closed;

  /**
   * @param maxNameBytes the most bytes of a job's name; a longer one is left out
   */
  ZetaJobLists(ZetaJobSource source, int maxNameBytes) {
    this.source = source;
    this.maxNameBytes = maxNameBytes;
  }

  @Override
  public Call<JobListing> list(int most, Deadline deadline) {
    ZetaListing listing = new ZetaListing(this, most, deadline);
    source.context.runOnContext(
        v -> {
          underWay.add(listing);
          if (closed) {
            listing.end(Unavailability.STOPPING);
          } else {
            listing.start();
          }
        });
    return Call.of(listing.answer);
  }

  /**
   * The members in the order to try them: as for lookups, but one that ails later, and one that
   * took too long last time, last.
   */
  List<ZetaMember> order() {
    return source.memberOrder().stream()
        .map(source::member)
        .sorted(
            Comparator.comparing((ZetaMember member) -> member == slow)
                .thenComparing(member -> member.breakerState() != CircuitBreakerState.CLOSED))
        .toList();
  }

  JobListScanner scanner(boolean active, Consumer<JobSummary> jobs) {
    return new JobListScanner(MAX_LIST_BYTES, maxNameBytes, active, jobs);
  }

  Vertx vertx() {
    return source.vertx;
  }

  long attemptMillis() {
    return source.config.attemptTimeout().toMillis();
  }

  void tookTooLong(ZetaMember member) {
    slow = member;
    say(member, Unavailability.DEADLINE.label());
  }

  void ended(ZetaListing listing) {
    underWay.remove(listing);
  }

  /**
   * @param what without foreign text
   */
  void say(ZetaMember member, String what) {
    String line = "member " + member.index() + ": no list of jobs: " + what;
    source.log.info(line, line);
  }

  /** Ends what is under way; on the event loop. */
  void close() {
    closed = true;
    List.copyOf(underWay).forEach(listing -> listing.end(Unavailability.STOPPING));
  }
}
