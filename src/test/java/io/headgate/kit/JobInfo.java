package io.headgate.kit;

/** A job-info body of shape A: a source, a transform and a sink, or a chain of any length. */
public record JobInfo(
    long jobId, String created, String finished, int nodes, String name, String extra) {
  public static JobInfo of(long jobId) {
    return new JobInfo(jobId, "2026-11-30 09:41:54", "", 3, "stage", "");
  }

  /** Of another execution. */
  public JobInfo created(String at) {
    return new JobInfo(jobId, at, finished, nodes, name, extra);
  }

  /** As the record of an ended execution. */
  public JobInfo finished(String at) {
    return new JobInfo(jobId, created, at, nodes, name, extra);
  }

  /** A chain of this many nodes. */
  public JobInfo nodes(int count) {
    return new JobInfo(jobId, created, finished, count, name, extra);
  }

  /** With this in the name of every node. */
  public JobInfo name(String prefix) {
    return new JobInfo(jobId, created, finished, nodes, prefix, extra);
  }

  /** With more members at the end of the body, as JSON text that begins with a comma. */
  public JobInfo extra(String members) {
    return new JobInfo(jobId, created, finished, nodes, name, members);
  }

  public String json() {
    StringBuilder edges = new StringBuilder();
    StringBuilder vertices = new StringBuilder();
    for (int i = 1; i <= nodes; i++) {
      String comma = i == 1 ? "" : ",";
      String kind = i == 1 ? "source" : i == nodes ? "sink" : "transform";
      String paths = kind.equals("transform") ? "" : "\"db.t" + i + "\"";
      vertices.append(
          "%s{\"vertexId\":%d,\"type\":\"%s\",\"vertexName\":\"%s %d\",\"tablePaths\":[%s]}"
              .formatted(comma, i, kind, name, i, paths));
      if (i > 1) {
        edges.append(
            "%s{\"inputVertexId\":\"%d\",\"targetVertexId\":\"%d\"}"
                .formatted(i == 2 ? "" : ",", i - 1, i));
      }
    }
    return ("{\"jobId\":\"%d\",\"jobName\":\"j\",\"jobStatus\":\"RUNNING\",\"envOptions\":{},"
            + "\"createTime\":\"%s\"%s,\"jobDag\":{\"jobId\":\"%d\",\"pipelineEdges\":{\"1\":[%s]},"
            + "\"envOptions\":{},\"vertexInfoMap\":[%s]},\"pluginJarsUrls\":[]%s}")
        .formatted(
            jobId,
            created,
            finished.isEmpty() ? "" : ",\"finishTime\":\"" + finished + "\"",
            jobId,
            edges,
            vertices,
            extra);
  }

  /** The answer that the gateway owes for this body. */
  public String lineage() {
    StringBuilder out = new StringBuilder("{\"schemaVersion\":1,\"jobId\":\"" + jobId + "\"");
    out.append(",\"graphKind\":\"EXECUTION\",\"idScope\":\"JOB\",\"nodes\":[");
    for (int i = 1; i <= nodes; i++) {
      String kind = i == 1 ? "SOURCE" : i == nodes ? "SINK" : "TRANSFORM";
      boolean transform = kind.equals("TRANSFORM");
      out.append(
          "%s{\"id\":\"%d\",\"kind\":\"%s\",\"name\":\"%s %d\",\"tablePaths\":[%s],\"datasetMetadata\":\"%s\"}"
              .formatted(
                  i == 1 ? "" : ",",
                  i,
                  kind,
                  name,
                  i,
                  transform ? "" : "\"db.t" + i + "\"",
                  transform ? "NOT_APPLICABLE" : "REPORTED"));
    }
    out.append("],\"edges\":[");
    for (int i = 2; i <= nodes; i++) {
      out.append(
          "%s{\"pipelineId\":1,\"sourceNodeId\":\"%d\",\"targetNodeId\":\"%d\"}"
              .formatted(i == 2 ? "" : ",", i - 1, i));
    }
    return out.append("],\"warnings\":[]}").toString();
  }
}
