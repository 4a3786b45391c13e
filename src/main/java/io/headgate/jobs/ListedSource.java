package io.headgate.jobs;

import io.headgate.graph.JobLister;

/**
 * A source of the list.
 *
 * @param origin how the list calls it
 * @param lister asked for its jobs
 */
public record ListedSource(Origin origin, JobLister lister) {}
