/**
 * Sources of job graphs. {@link io.headgate.upstream.CompositeJobSource} asks several in order;
 * what each of them does is in a package of its own.
 *
 * <p>Runs on whatever thread a source answers on, and does nothing there but choose.
 */
@NullMarked
package io.headgate.upstream;

import org.jspecify.annotations.NullMarked;
