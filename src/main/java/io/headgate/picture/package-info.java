/**
 * Pictures of graphs: from the bytes of a lineage answer to the bytes of an SVG.
 *
 * <p>{@link io.headgate.picture.Painter} is the way in. {@link io.headgate.picture.SvgPainter}
 * reads the answer into a {@link io.headgate.picture.Scene}, has that placed, and writes it.
 * Whoever calls it brings the thread, which a large graph keeps for seconds. Knows nothing of HTTP,
 * permits or event loops, and is the only package that uses the layout library ({@link
 * io.headgate.picture.LayeredLayout} does).
 */
@NullMarked
package io.headgate.picture;

import org.jspecify.annotations.NullMarked;
