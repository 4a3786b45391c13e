package io.headgate;

import io.headgate.admission.Admission;
import io.headgate.directory.DirectoryJobSource;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.JobLister;
import io.headgate.jobs.ListedSource;
import io.headgate.jobs.Origin;
import io.headgate.observe.Meters;
import io.headgate.observe.SourceHealth;
import io.headgate.upstream.CompositeJobSource;
import io.headgate.upstream.zeta.RecordedJobSource;
import io.headgate.upstream.zeta.ZetaConfig;
import io.headgate.upstream.zeta.ZetaJobSource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sources of one gateway, in the order in which they are asked. Made on an event loop. */
final class Sources {
  private static final Logger log = LoggerFactory.getLogger(Sources.class);

  private final JobGraphSource all;
  private final List<ListedSource> listed;
  private final @Nullable ZetaJobSource zeta;
  private final boolean recorded;

  private Sources(
      JobGraphSource all,
      List<ListedSource> listed,
      @Nullable ZetaJobSource zeta,
      boolean recorded) {
    this.all = all;
    this.listed = List.copyOf(listed);
    this.zeta = zeta;
    this.recorded = recorded;
  }

  /**
   * Opens what {@code config} names.
   *
   * @param embedded the embedding service's own source, or null
   * @param directory what services publish, or null
   * @throws IllegalArgumentException if the order names a source that isn't there
   */
  static Sources open(
      Vertx vertx,
      HeadgateConfig config,
      @Nullable JobGraphSource embedded,
      @Nullable DirectoryJobSource directory,
      Admission admission,
      Meters meters) {
    ZetaConfig members = config.sources().zeta();
    List<SourcesConfig.Kind> order = order(config.sources(), embedded != null);
    List<JobGraphSource> sources = new ArrayList<>();
    List<ListedSource> listed = new ArrayList<>();
    ZetaJobSource zeta = null;
    for (SourcesConfig.Kind kind : order) {
      switch (kind) {
        case EMBEDDED -> {
          JobGraphSource present = present(embedded, "embedded");
          sources.add(present);
          listed.add(new ListedSource(Origin.EMBEDDED, lister(present)));
        }
        case ZETA -> {
          ZetaConfig present = present(members, "zeta");
          zeta = new ZetaJobSource(vertx, present, config.limits(), admission.workers(), meters);
          sources.add(zeta);
          listed.add(new ListedSource(Origin.ZETA, zeta));
        }
        case DIRECTORY -> {
          JobGraphSource present = present(directory, "directory");
          sources.add(present);
          listed.add(new ListedSource(Origin.DIRECTORY, lister(present)));
        }
        case RECORDED -> {
          log.warn("recorded jobs are served");
          RecordedJobSource jobs =
              new RecordedJobSource(config.limits(), config.upstreamBytes(), admission.workers());
          sources.add(jobs);
          listed.add(new ListedSource(Origin.RECORDED, jobs));
        }
      }
    }
    JobGraphSource all = sources.size() == 1 ? sources.get(0) : new CompositeJobSource(sources);
    return new Sources(all, listed, zeta, order.contains(SourcesConfig.Kind.RECORDED));
  }

  private static JobLister lister(JobGraphSource source) {
    return source instanceof JobLister known ? known : JobLister.NONE;
  }

  private static List<SourcesConfig.Kind> order(SourcesConfig config, boolean embedded) {
    if (!config.order().isEmpty()) {
      return config.order();
    }
    List<SourcesConfig.Kind> order = new ArrayList<>();
    if (embedded) {
      order.add(SourcesConfig.Kind.EMBEDDED);
    }
    if (config.zeta() != null) {
      order.add(SourcesConfig.Kind.ZETA);
    }
    if (config.directory() != null) {
      order.add(SourcesConfig.Kind.DIRECTORY);
    }
    return order.isEmpty() ? List.of(SourcesConfig.Kind.RECORDED) : order;
  }

  private static <S> S present(@Nullable S source, String name) {
    if (source == null) {
      throw new IllegalArgumentException(
          "source.order: " + name + " (expected: a source that is configured or embedded)");
    }
    return source;
  }

  /** All of them as one. */
  JobGraphSource all() {
    return all;
  }

  /** The same one by one, as sources of the list of jobs. */
  List<ListedSource> listed() {
    return listed;
  }

  /** The engine's members, or null where no engine is read. */
  @Nullable SourceHealth members() {
    return zeta;
  }

  /** Whether recorded jobs are among them. */
  boolean recorded() {
    return recorded;
  }

  /** Closes what was opened; not the embedding service's own. */
  Future<Void> close() {
    return zeta == null ? Future.succeededFuture() : zeta.close();
  }
}
