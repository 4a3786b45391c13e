package io.headgate.edge;

/** Paths with a job id in their middle, such as {@code /jobs/{jobId}/graph}. Safe on any thread. */
final class JobPath {
  private final String prefix;
  private final String suffix;

  /**
   * @param resource one whose template has the job id and nothing else that varies
   */
  JobPath(String basePath, Resource resource) {
    prefix = basePath + resource.prefix();
    suffix = resource.suffix();
  }

  /** Whether {@code path} is one of these: one segment, whatever it is, in its middle. */
  boolean matches(String path) {
    return path.startsWith(prefix)
        && path.endsWith(suffix)
        && path.indexOf('/', prefix.length()) == path.length() - suffix.length();
  }

  /** The job id of a path that {@linkplain #matches matches}, or {@link JobIds#INVALID}. */
  long jobId(String path) {
    return JobIds.parse(path, prefix.length(), path.length() - suffix.length());
  }
}
