package io.headgate;

import io.headgate.directory.DirectoryConfig;
import io.headgate.upstream.zeta.ZetaConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where graphs come from. With nothing in it, the recorded jobs are served.
 *
 * @param order which sources are asked and in which order; empty for every one there is, in the
 *     order of {@link Kind}
 * @param zeta the engine to read, or null
 * @param directory bounds of the directory of published graphs, or null where it is off
 */
public record SourcesConfig(
    List<Kind> order, @Nullable ZetaConfig zeta, @Nullable DirectoryConfig directory) {
  /** The sources there may be. */
  public enum Kind {
    /** The source that the embedding service passes to {@link HeadgateVerticle}. */
    EMBEDDED,
    /** The engine's REST interface. */
    ZETA,
    /** Graphs published into the cluster. */
    DIRECTORY,
    /** Recorded jobs, for a first look. */
    RECORDED
  }

  /** No source: the recorded jobs. */
  public static final SourcesConfig DEFAULT = new SourcesConfig(List.of(), null, null);

  public SourcesConfig {
    order = List.copyOf(order);
  }
}
