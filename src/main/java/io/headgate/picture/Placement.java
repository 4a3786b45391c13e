package io.headgate.picture;

import java.util.List;

/**
 * Where boxes and lines are, in whole pixels from the upper left corner. The arrays are handed
 * over: nobody may write to them afterwards.
 *
 * @param x left side of each box
 * @param y upper side of each box
 * @param routes of each line its points, x and y in turn, from its beginning to its end
 */
record Placement(int[] x, int[] y, List<int[]> routes, int width, int height) {}
