package io.headgate.admission;

/**
 * What permits are for. Each kind of work has a pool of its own, so that a flood of one takes
 * nothing from the others.
 */
public enum Pool {
  LINEAGE("lineage"),
  /** Graphs that come in over HTTP. */
  PUBLICATIONS("publications"),
  /** Reports on schema changes that come in over HTTP. */
  REPORTS("reports"),
  /** Questions for the timeline of a job. */
  TIMELINES("timelines"),
  /** Questions of the Fn API over HTTP. */
  DESCRIPTORS("descriptors"),
  /** Lookups that nobody waits for but a picture. */
  PICTURE_LOOKUPS("picture-lookups"),
  /** Drawing of pictures of graphs. */
  PICTURE("picture");

  private final String label;

  Pool(String label) {
    this.label = label;
  }

  /** The word for metrics. */
  public String label() {
    return label;
  }
}
