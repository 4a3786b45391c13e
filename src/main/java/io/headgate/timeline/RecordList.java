package io.headgate.timeline;

import java.util.Arrays;

/**
 * The records of one job, in the order of their sequences, while they are changed. Beside each
 * stands in a byte what of it may go first, because to look into five hundred records that nobody
 * has touched for a while takes longer than all the rest of a change. Confined to one call.
 */
final class RecordList {
  /** The record is terminal. */
  static final byte TERMINAL = 1;

  /** Nothing but its observation is known. */
  static final byte ONLY_OBSERVED = 2;

  /** It has error texts. */
  static final byte ERRORS = 4;

  /** It has names of targets. */
  static final byte TARGETS = 8;

  private SchemaChangeRecord[] records;
  private byte[] kinds;
  private int size;

  /**
   * @param records handed over
   * @param kinds theirs, handed over; as many or more
   */
  RecordList(SchemaChangeRecord[] records, byte[] kinds) {
    this.records = records;
    this.kinds = kinds;
    this.size = records.length;
  }

  static byte[] kinds(SchemaChangeRecord[] records) {
    byte[] kinds = new byte[records.length];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = kind(records[i]);
    }
    return kinds;
  }

  private static byte kind(SchemaChangeRecord record) {
    int kind = record.verdict().terminal() ? TERMINAL : 0;
    kind |= record.onlyObserved() ? ONLY_OBSERVED : 0;
    kind |= record.decisions().hasErrors() ? ERRORS : 0;
    kind |= record.decisions().targets().length > 0 ? TARGETS : 0;
    return (byte) kind;
  }

  int size() {
    return size;
  }

  SchemaChangeRecord get(int index) {
    return records[index];
  }

  /** Where the record with this sequence stands, or -1. */
  int indexOf(long sequence) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(records[middle].sequence(), sequence);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /**
   * Where the oldest record of a kind stands, or -1.
   *
   * @param spared the sequence of one that does not count, or 0
   */
  int oldest(byte kind, long spared) {
    for (int i = 0; i < size; i++) {
      if ((kinds[i] & kind) != 0 && records[i].sequence() != spared) {
        return i;
      }
    }
    return -1;
  }

  void add(SchemaChangeRecord record) {
    if (size == records.length) {
      records = Arrays.copyOf(records, size + 1 + (size >> 3));
    }
    if (size == kinds.length) {
      kinds = Arrays.copyOf(kinds, records.length);
    }
    size++;
    set(size - 1, record);
  }

  void set(int index, SchemaChangeRecord record) {
    records[index] = record;
    kinds[index] = kind(record);
  }

  SchemaChangeRecord remove(int index) {
    SchemaChangeRecord removed = records[index];
    size--;
    System.arraycopy(records, index + 1, records, index, size - index);
    System.arraycopy(kinds, index + 1, kinds, index, size - index);
    return removed;
  }

  SchemaChangeRecord[] toArray() {
    return Arrays.copyOf(records, size);
  }

  byte[] kinds() {
    return Arrays.copyOf(kinds, size);
  }
}
