package io.headgate.edge;

/**
 * Every error a client can get: one constant a cause, with its status and its one fixed message
 * (L21). {@code docs/errors.md} lists them for users, and a test holds the two together.
 */
public enum ErrorCode {
  INVALID_REQUEST(400, "The request is not well-formed HTTP."),
  INVALID_JOB_ID(400, "The job id is not a positive 64-bit decimal number."),
  INVALID_ID(400, "The id in the path is empty or can't be decoded."),
  INVALID_QUERY(400, "The query has an unknown, repeated or unusable parameter."),
  INVALID_PARAMETER(400, "A query parameter is repeated or has a value that it can't have."),
  BODY_NOT_ALLOWED(400, "This route takes no request body."),
  INVALID_BODY(400, "The request body is not of the form that this route takes."),
  UNAUTHORIZED(401, "Valid credentials are required."),
  FORBIDDEN(403, "These credentials do not allow this."),
  WRITE_NOT_CONFIGURED(
      403, "Writing needs users to be configured, or a listener on loopback only."),
  HOST_NOT_ALLOWED(403, "Writing is not allowed under this host name."),
  CROSS_SITE(403, "Writing is not allowed from another site."),
  NOT_FOUND(404, "There is no such resource."),
  JOB_NOT_FOUND(404, "No active job and no retained record has this id."),
  DESCRIPTOR_NOT_FOUND(404, "No bundle descriptor has this id."),
  HARNESS_NOT_FOUND(404, "This gateway knows no harness of this id."),
  BUNDLE_NOT_FOUND(404, "This gateway has no bundle of this id."),
  PORT_NOT_FOUND(404, "The bundle has no such data port."),
  METHOD_NOT_ALLOWED(405, "This resource does not support the method."),
  NO_JSON_FORM(406, "The bundle descriptor has no JSON form."),
  REQUEST_TIMEOUT(408, "The request did not arrive in time."),
  LINEAGE_UNAVAILABLE(409, "The job is known, but it has no consistent execution graph."),
  STALE_EPOCH(409, "A newer execution of the job has been published."),
  EXECUTION_ENDED(409, "This execution of the job has ended already."),
  DESCRIPTOR_CONFLICT(409, "Another bundle descriptor has this id."),
  PORT_TAKEN(409, "The data port is in use, or has been."),
  BUNDLE_NOT_AT_WORK(409, "The bundle is not at work now."),
  BUNDLE_FAILED(409, "The bundle has failed."),
  HARNESS_REFUSED(409, "The harness gave no answer, or an error."),
  LINEAGE_GRAPH_TOO_LARGE(413, "The job's graph exceeds a limit of this gateway."),
  DESCRIPTOR_TOO_LARGE(413, "The bundle descriptor exceeds a limit of this gateway."),
  BODY_TOO_LARGE(413, "The request body is too large."),
  URI_TOO_LONG(414, "The request line is too long."),
  UNSUPPORTED_MEDIA_TYPE(415, "The content type is not the one that this route takes."),
  EXPECTATION_FAILED(417, "The expectation can't be met."),
  INVALID_JOB_GRAPH(422, "The graph is not a consistent graph of this job."),
  INVALID_DESCRIPTOR(422, "The bundle descriptor is not consistent."),
  HEADERS_TOO_LARGE(431, "The request headers are too large."),
  LINEAGE_INTERNAL_ERROR(500, "The lineage could not be produced."),
  INTERNAL_ERROR(500, "The request could not be answered."),
  NOT_IMPLEMENTED(501, "The request uses a feature that is not supported."),
  LINEAGE_TEMPORARILY_UNAVAILABLE(503, "The lineage can't be given now. Try again later."),
  JOBS_TEMPORARILY_UNAVAILABLE(503, "The list of jobs is not there yet. Try again later."),
  DIRECTORY_FULL(503, "The directory of published graphs is full. Try again later."),
  DIRECTORY_TEMPORARILY_UNAVAILABLE(
      503, "The directory of published graphs can't be reached now. Try again later."),
  TIMELINE_TEMPORARILY_UNAVAILABLE(
      503, "The timelines of schema changes can't be reached now. Try again later."),
  DESCRIPTORS_FULL(503, "There is no room for a further bundle descriptor. Try again later."),
  FN_TEMPORARILY_UNAVAILABLE(503, "The Fn API can't answer now. Try again later."),
  TEMPORARILY_UNAVAILABLE(503, "The request can't be served now. Try again later.");

  private final int status;
  private final String message;
  private final String body;

  ErrorCode(int status, String message) {
    this.status = status;
    this.message = message;
    this.body = "{\"code\":\"" + name() + "\",\"message\":\"" + message + "\"}";
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The message, the same for every request. */
  public String message() {
    return message;
  }

  /** The whole response body, ASCII. */
  public String body() {
    return body;
  }
}
