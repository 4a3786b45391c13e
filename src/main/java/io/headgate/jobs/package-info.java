/**
 * Which jobs there are: a list of all sources' jobs that is read in the background, and its pages.
 *
 * <p>{@link io.headgate.jobs.JobsReader} asks the sources, now and then and never because of a
 * request, and makes a {@link io.headgate.jobs.JobsSnapshot} on a worker: one immutable value whose
 * pages cost a request no more than a copy. Start with the snapshot.
 */
@NullMarked
package io.headgate.jobs;

import org.jspecify.annotations.NullMarked;
