/**
 * Graphs that an embedding service publishes, one record a job.
 *
 * <p>{@link io.headgate.directory.DirectoryConfig} has the bounds.
 */
@NullMarked
package io.headgate.directory;

import org.jspecify.annotations.NullMarked;
