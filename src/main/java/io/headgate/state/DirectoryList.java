package io.headgate.state;

import com.hazelcast.aggregation.Aggregator;
import io.headgate.directory.ListedRecords;
import io.headgate.graph.JobListing;
import java.util.Map;

/**
 * Lists the directory: goes through the records of each member where they are, and brings back what
 * a list shows of them, without graphs and no more than asked for.
 */
final class DirectoryList implements Aggregator<Map.Entry<Long, byte[]>, JobListing.Read> {
  private static final long serialVersionUID = 1L;

  private final transient ListedRecords records;

  /**
   * @param most the most jobs to list
   * @param nowMillis the time by which records expire
   */
  DirectoryList(int most, long nowMillis) {
    this(new ListedRecords(most, nowMillis));
  }

  private DirectoryList(ListedRecords records) {
    this.records = records;
  }

  @Override
  public void accumulate(Map.Entry<Long, byte[]> entry) {
    records.add(entry.getKey(), entry.getValue());
  }

  @Override
  @SuppressWarnings("rawtypes") // as Hazelcast declares it
  public void combine(Aggregator other) {
    records.addAll(((DirectoryList) other).records);
  }

  @Override
  public JobListing.Read aggregate() {
    return records.listing();
  }

  byte[] toBytes() {
    return records.toBytes();
  }

  static DirectoryList fromBytes(byte[] bytes) {
    return new DirectoryList(ListedRecords.fromBytes(bytes));
  }
}
