package io.headgate.picture;

import io.headgate.wire.CappedBuffer;

/**
 * A finished picture.
 *
 * @param svg the whole document in UTF-8; whoever takes it must be the last to use the buffer
 * @param grouped whether nodes were drawn in groups, because there are too many to place
 */
public record Painting(CappedBuffer svg, boolean grouped) {}
