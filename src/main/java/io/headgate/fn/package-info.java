/**
 * The runner side of Beam's Fn API: harnesses connect, and run bundles that a runner starts.
 *
 * <p>Instructions and inputs go from a runner through a {@link io.headgate.fn.Bundle} to its {@link
 * io.headgate.fn.Harness}; outputs, responses, state requests and logs come back. What stands on
 * the wire is the business of {@code fn.v1}; here are plain types. Everything runs on one event
 * loop, {@link io.headgate.fn.Loop}, so nothing here is locked; {@link io.headgate.fn.FnRunner} is
 * the door for other threads. Start with {@link io.headgate.fn.Bundle} and {@link
 * io.headgate.fn.Harness}; {@code docs/fn-api.md} draws a bundle's life.
 */
@NullMarked
package io.headgate.fn;

import org.jspecify.annotations.NullMarked;
