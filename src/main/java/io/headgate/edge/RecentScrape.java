package io.headgate.edge;

import io.vertx.core.buffer.Buffer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The metrics as text, or the page's figures. To write them all takes longer than most answers, and
 * anybody who may ask may ask often, so in one second at most {@value #MOST} texts are made; past
 * that the last one is given again. Safe on any thread; one that asks while another makes a text
 * waits for it.
 */
final class RecentScrape {
  /** More than all scrapers of a deployment together need. */
  static final int MOST = 50;

  private static final long SECOND = 1_000_000_000;

  private final Supplier<String> scrape;
  private final LongSupplier nanoClock;

  // Guarded by this.
  private Buffer last = Buffer.buffer();
  private long since;
  private int made;

  /**
   * @param nanoClock a clock like {@link System#nanoTime()}
   */
  RecentScrape(Supplier<String> scrape, LongSupplier nanoClock) {
    this.scrape = scrape;
    this.nanoClock = nanoClock;
    since = nanoClock.getAsLong();
  }

  /** The text as it is now, or was at most a second ago; shared, so not to be changed. */
  synchronized Buffer get() {
    long now = nanoClock.getAsLong();
    if (now - since >= SECOND) {
      since = now;
      made = 0;
    }
    if (made < MOST) {
      made++;
      last = Buffer.buffer(scrape.get());
    }
    return last;
  }
}
