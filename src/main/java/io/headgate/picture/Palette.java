package io.headgate.picture;

/** Colours and signs that pictures share. The background is the picture's own, on any page. */
final class Palette {
  static final String BACKGROUND = "#ffffff";
  static final String TEXT = "#1f2328";
  static final String FAINT_TEXT = "#57606a";
  static final String WARNING = "#8a4600";

  /** What lines of a pipeline look like; they tell pipelines of one connected graph apart. */
  private static final String[] LINES = {"#57606a", "#0b5c94", "#a04000", "#6b3fa0", "#1a6b3c"};

  private Palette() {}

  /** The colour of lines of the pipeline at {@code rank} of those that are connected. */
  static String line(int rank) {
    return LINES[rank % LINES.length];
  }

  /** A warning sign: a triangle with a stroke and a dot in it, 12 pixels wide. */
  static void sign(Svg svg, int x, int base) {
    svg.leaf("path", "d", "M" + x + " " + base + "h12l-6-11z", "fill", WARNING);
    svg.leaf(
        "path",
        "d",
        "M" + (x + 6) + " " + (base - 7) + "v3m0 1v1.5",
        "stroke",
        BACKGROUND,
        "stroke-width",
        "1.4");
  }

  /** A line through {@code points}, x and y in turn, with a head at its end. */
  static void arrow(Svg svg, int[] points, int dx, int dy, String colour, boolean dashed) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      path.append(i == 0 ? 'M' : 'L').append(points[i] + dx).append(' ').append(points[i + 1] + dy);
    }
    if (dashed) {
      svg.leaf("path", "d", path, "fill", "none", "stroke", colour, "stroke-dasharray", "5 4");
    } else {
      svg.leaf("path", "d", path, "fill", "none", "stroke", colour);
    }
    int end = points.length - 2;
    String head = head(points[end] - points[end - 2], points[end + 1] - points[end - 1]);
    svg.leaf(
        "path",
        "d",
        "M" + (points[end] + dx) + " " + (points[end + 1] + dy) + head,
        "fill",
        colour);
  }

  private static String head(int x, int y) {
    if (Math.abs(x) >= Math.abs(y)) {
      return x >= 0 ? "l-8-4v8z" : "l8-4v8z";
    }
    return y >= 0 ? "l-4-8h8z" : "l-4 8h8z";
  }
}
