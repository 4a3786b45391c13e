// What is known of a timeline after several pages of it were read: records by sequence, the newest
// first, without a hole between pages.

/**
 * After the newest page was read again. What lies below it stays, if nothing can be missing between
 * the two; else the timeline begins anew with this page.
 *
 * @param known what this or withOlder gave, or null at first
 * @param page a body of the timeline's route
 */
export function withNewest(known, page) {
  const below = joins(known, page)
    ? known.records.filter((record) => record.sequence < page.nextBeforeSequence)
    : [];
  return {
    ...page,
    records: page.records.concat(below),
    nextBeforeSequence: below.length > 0 ? known.nextBeforeSequence : page.nextBeforeSequence,
  };
}

/** Whether a record of the page, or one that it would have, was known before. */
function joins(known, page) {
  return (
    known !== null &&
    known.historyId === page.historyId &&
    page.nextBeforeSequence !== null &&
    known.records.length > 0 &&
    known.records[0].sequence >= page.nextBeforeSequence
  );
}

/**
 * After the page below all that is known was read; null if it is of another history, with which
 * sequences began anew.
 */
export function withOlder(known, page) {
  return known.historyId !== page.historyId
    ? null
    : {
        ...page,
        truncated: known.truncated || page.truncated,
        records: known.records.concat(page.records),
      };
}

/** The numbers between two records that are next to each other: {from, to}, or null. */
export function gap(newer, older) {
  return newer.sequence - older.sequence > 1
    ? { from: older.sequence + 1, to: newer.sequence - 1 }
    : null;
}

/** The tables that records name, as sources or as targets. */
export function tablesOf(records) {
  const tables = new Set();
  for (const { sourceTable, targets } of records) {
    for (const table of [sourceTable, ...targets.map((target) => target.table)]) {
      if (table !== null) {
        tables.add(table);
      }
    }
  }
  return tables;
}
