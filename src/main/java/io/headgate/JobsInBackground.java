package io.headgate;

import io.headgate.admission.Admission;
import io.headgate.admission.Workers;
import io.headgate.jobs.JobsReader;
import io.headgate.jobs.JobsSnapshot;
import io.headgate.jobs.ListedSource;
import io.headgate.observe.Meters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reading of one gateway's list of jobs, with the thread that it needs. Safe on any thread. */
final class JobsInBackground implements AutoCloseable {
  private final Workers worker = new Workers("headgate-jobs", 1);
  private final JobsReader reader;

  JobsInBackground(List<ListedSource> sources, Admission admission, Meters meters) {
    reader = new JobsReader(sources, admission::after, worker, System::nanoTime, meters);
  }

  /** Begins to read; once the sources can be. */
  void start() {
    reader.start();
  }

  /** The list as it was read last, or null before it was. */
  @Nullable JobsSnapshot snapshot() {
    return reader.snapshot();
  }

  /** Ends it; before the admission is closed. */
  @Override
  public void close() {
    reader.close();
    worker.close();
  }
}
