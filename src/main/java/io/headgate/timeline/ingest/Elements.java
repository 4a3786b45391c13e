package io.headgate.timeline.ingest;

import io.headgate.wire.JsonScan;

/** Goes through the elements of a JSON array that is a whole body, checking each. Used once. */
final class Elements {
  private final byte[] body;
  private final JsonScan scan;
  private int at;
  private int from;
  private int to;
  private boolean begun;
  private boolean whole;
  private boolean cut;

  Elements(byte[] body) {
    this.body = body;
    this.scan = new JsonScan(body);
  }

  /** Goes on to the next element; false behind the last one and where the text is no array. */
  boolean next() {
    at = scan.space(at);
    if (at == body.length) {
      cut = true;
      return false;
    }
    byte b = body[at];
    if (b != (begun ? ',' : '[')) {
      whole = begun && b == ']' && endsAt(at + 1);
      return false;
    }
    at = scan.space(at + 1);
    if (!begun && at < body.length && body[at] == ']') {
      whole = endsAt(at + 1);
      return false;
    }
    begun = true;
    from = at;
    to = scan.value(at);
    cut = to == JsonScan.CUT;
    at = to;
    return to >= 0;
  }

  private boolean endsAt(int index) {
    return scan.space(index) == body.length;
  }

  /** Where the element begins. */
  int from() {
    return from;
  }

  /** Whether the element is an object. */
  boolean isObject() {
    return body[from] == '{';
  }

  /** How deep the element is. */
  int depth() {
    return scan.depth();
  }

  /** How many bytes the longest string so far has. */
  int longestString() {
    return scan.longestString();
  }

  /** Once there is no next element: whether the body was a JSON array and nothing else. */
  boolean wholeArray() {
    return whole;
  }

  /** Once there is no next element: whether the body is the beginning of a JSON array. */
  boolean cutArray() {
    return cut && (begun || at == body.length);
  }
}
