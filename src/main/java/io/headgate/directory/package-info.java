/**
 * Graphs that services publish, one record a job.
 *
 * <p>A {@link io.headgate.directory.Publication} comes from a route or from a publisher in this
 * process and goes through a {@link io.headgate.directory.JobDirectory} to the job's owner, where
 * {@link io.headgate.directory.JobRecord} says what it changes; {@link
 * io.headgate.directory.DirectoryJobSource} reads the record for lookups. All of it is plain {@code
 * java.*} and blocks nowhere; where records are kept is the store's business. {@link
 * io.headgate.directory.DirectoryConfig} has the bounds. Start with {@code JobRecord}.
 */
@NullMarked
package io.headgate.directory;

import org.jspecify.annotations.NullMarked;
