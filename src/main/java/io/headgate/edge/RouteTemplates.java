package io.headgate.edge;

import io.headgate.observe.access.RouteNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of all routes there are, for log lines and traces: their paths with placeholders. What
 * is none of them is {@value #OTHER}, so that no client can add to the set. Safe on any thread.
 */
final class RouteTemplates implements RouteNames {
  static final String OTHER = "other";

  private static final Named NOTHING = new Named(OTHER, null, false);

  private static final String JOB = "/{jobId}";

  /** Stands for one or more segments, at the end. */
  private static final String REST = "/*";

  /** Files of the page, which are no resources one by one. */
  private static final String PAGE = "/ui/*";

  private final String basePath;
  private final List<Template> based = new ArrayList<>();
  private final List<Template> fixed = new ArrayList<>();

  /**
   * One route.
   *
   * @param parts its segments, each with the slash in front of it
   * @param job which of them is the job id, or -1
   */
  private record Template(Named named, String[] parts, int job) {}

  RouteTemplates(String basePath) {
    this.basePath = basePath;
    for (Resource resource : Resource.values()) {
      (resource.isUnderBasePath() ? based : fixed).add(template(resource.template()));
    }
    based.add(template(PAGE));
  }

  private static Template template(String name) {
    boolean slash = name.length() > 1 && name.endsWith("/"); // it may be missing in paths
    String[] parts = (slash ? name.substring(0, name.length() - 1) : name).split("(?=/)");
    return new Template(
        new Named(name, null, name.equals(PAGE) || name.equals(Resource.GATEWAY_STATE.template())),
        parts,
        List.of(parts).indexOf(JOB));
  }

  @Override
  public Named of(String path) {
    Named named = path.startsWith(basePath) ? of(path, basePath.length(), based) : null;
    if (named == null) {
      named = of(path, 0, fixed);
    }
    return named == null ? NOTHING : named;
  }

  private static @Nullable Named of(String path, int from, List<Template> templates) {
    boolean slash = path.length() > from + 1 && path.charAt(path.length() - 1) == '/';
    int end = slash ? path.length() - 1 : path.length(); // some routes take a slash behind them
    for (Template template : templates) {
      Named named = match(template, path, from, end);
      if (named != null) {
        return named;
      }
    }
    return null;
  }

  private static @Nullable Named match(Template template, String path, int from, int end) {
    Named named = template.named;
    int at = from;
    for (int i = 0; i < template.parts.length; i++) {
      String part = template.parts[i];
      if (part.equals(REST)) {
        return named;
      }
      if (at >= end || path.charAt(at) != '/') {
        return null;
      }
      int slash = path.indexOf('/', at + 1);
      int next = slash < 0 || slash > end ? end : slash;
      if (!part.startsWith("/{")) {
        if (next - at != part.length() || !path.startsWith(part, at)) {
          return null;
        }
      } else if (i == template.job && JobIds.parse(path, at + 1, next) != JobIds.INVALID) {
        named = new Named(named.name(), path.substring(at + 1, next), false);
      }
      at = next;
    }
    return at == end ? named : null;
  }
}
