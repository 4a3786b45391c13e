/**
 * The early Fn API, {@code org.apache.beam.fn.v1}: its messages on one side, the plain types of
 * {@code io.headgate.fn} on the other. One class for each of the four streams, each on top of a
 * {@link io.headgate.fn.v1.HarnessCall}. Everything runs on the loop of the Fn API, but for {@link
 * io.headgate.fn.v1.DescriptorReader}, which runs on workers. Start with {@link
 * io.headgate.fn.v1.FnServices}.
 */
@NullMarked
package io.headgate.fn.v1;

import org.jspecify.annotations.NullMarked;
