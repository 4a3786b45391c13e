package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often the metrics are written anew, with the time passed in. */
class RecentScrapeTest {
  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger written = new AtomicInteger();
  private final RecentScrape scrape =
      new RecentScrape(() -> "text " + written.incrementAndGet(), clock::get);

  @Test
  void past_the_most_of_one_second_the_last_text_is_given_again() {
    for (int i = 1; i <= RecentScrape.MOST; i++) {
      assertThat(scrape.get().toString()).isEqualTo("text " + i);
    }
    String last = scrape.get().toString();
    assertThat(last).isEqualTo("text " + RecentScrape.MOST);

    clock.addAndGet(Duration.ofMillis(999).toNanos());
    assertThat(scrape.get()).hasToString(last);

    clock.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(scrape.get()).hasToString("text " + (RecentScrape.MOST + 1));
  }
}
