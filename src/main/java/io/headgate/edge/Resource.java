package io.headgate.edge;

import io.vertx.core.http.HttpMethod;
import java.util.Arrays;
import java.util.List;

/**
 * Every resource that the listener has: where it is, and what may be done with it. Routes take
 * their paths and what {@code Allow} says from here, and a test holds {@code openapi.yaml} against
 * it, so a route that is not in the document is noticed.
 */
enum Resource {
  LINEAGE("/job-lineage/{jobId}", "GET, HEAD"),
  PICTURE("/job-lineage/{jobId}/graph.svg", "GET, HEAD"),
  JOBS("/jobs", "GET, HEAD"),
  GRAPH("/jobs/{jobId}/graph", "PUT, DELETE"),
  TIMELINE("/job-info/{jobId}/schema-evolution", "GET, HEAD"),
  ENGINE_REPORT("/event/report", "POST"),
  DECISIONS("/schema-evolution/events", "POST"),
  DESCRIPTORS("/fn/bundle-descriptors", "GET, HEAD, POST"),
  DESCRIPTOR("/fn/bundle-descriptors/{descriptorId}", "GET, HEAD, DELETE"),
  DESCRIPTOR_LINEAGE("/fn/bundle-descriptors/{descriptorId}/lineage", "GET, HEAD"),
  DESCRIPTOR_PICTURE("/fn/bundle-descriptors/{descriptorId}/graph.svg", "GET, HEAD"),
  HARNESSES("/fn/harnesses", "GET, HEAD"),
  HARNESS_LOG("/fn/harnesses/{harnessId}/logs", "GET, HEAD"),
  BUNDLES("/fn/bundles", "POST"),
  BUNDLE("/fn/bundles/{bundleId}", "GET, HEAD, DELETE"),
  PROGRESS("/fn/bundles/{bundleId}/progress", "GET, HEAD"),
  SPLIT("/fn/bundles/{bundleId}/split", "POST"),
  INPUT("/fn/bundles/{bundleId}/inputs/{transform}/{name}", "PUT"),
  OUTPUT("/fn/bundles/{bundleId}/outputs/{transform}/{name}", "GET"),
  DOCUMENT("/openapi.yaml", "GET, HEAD"),
  ENTRY("/", "GET, HEAD"),
  START_PAGE("/ui/", "GET, HEAD"),
  JOB_PAGE("/ui/jobs/{jobId}", "GET, HEAD"),
  DESCRIPTOR_PAGE("/ui/fn/descriptors/{descriptorId}", "GET, HEAD"),
  GATEWAY_STATE("/ui/state", "GET, HEAD"),
  LIVE("/health/live", "GET, HEAD"),
  READY("/health/ready", "GET, HEAD"),
  METRICS("/metrics", "GET, HEAD");

  private final String template;
  private final String allow;
  private final List<String> methods;

  Resource(String template, String allow) {
    this.template = template;
    this.allow = allow;
    methods = Arrays.asList(allow.split(", "));
  }

  /** The path with a name in braces for each segment that varies, without the base path. */
  String template() {
    return template;
  }

  /** Whether {@code http.basePath} stands in front; it does not where probes and scrapers ask. */
  boolean isUnderBasePath() {
    return this != LIVE && this != READY && this != METRICS;
  }

  /** The template up to the first segment that varies. */
  String prefix() {
    int brace = template.indexOf('{');
    return brace < 0 ? template : template.substring(0, brace);
  }

  /** The template behind the last segment that varies. */
  String suffix() {
    return template.substring(template.lastIndexOf('}') + 1);
  }

  /** The methods that it takes, with commas. */
  String allow() {
    return allow;
  }

  boolean allows(HttpMethod method) {
    return methods.contains(method.name());
  }
}
