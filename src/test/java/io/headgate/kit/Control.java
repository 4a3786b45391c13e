package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that do nothing wrong while others attack: each keeps one connection and asks for one
 * known job again and again. Whatever happens to the others, these get the same bytes, soon.
 */
public final class Control implements AutoCloseable {
  private static final int CLIENTS = 8;
  private static final long PAUSE_MILLIS = 25;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(3);

  private final List<RawClient> clients = new ArrayList<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicLong slowest = new AtomicLong();
  private final byte[] request;
  private final byte[] golden;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

  /**
   * @param jobId a job whose answer stays reusable while this runs
   */
  public Control(int port, long jobId) {
    String head = "GET /job-lineage/" + jobId + " HTTP/1.1\r\nHost: control\r\n";
    request = (head + "\r\n").getBytes();
    byte[] last;
    try (RawClient first = new RawClient(port)) {
      last = first.send(head + "Connection: close\r\n\r\n").receive(PATIENCE).bytes();
    }
    String close = "connection: close\r\n";
    golden = new String(last).replace(close, "").getBytes();
    assertThat(new String(golden)).contains(JobInfo.of(jobId).lineage());
    for (int i = 0; i < CLIENTS; i++) {
      RawClient client = new RawClient(port);
      clients.add(client);
      threads.scheduleWithFixedDelay(() -> ask(client), i, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void ask(RawClient client) {
    try {
      long asked = System.nanoTime();
      byte[] answer = client.send(request).bytes(golden.length, PATIENCE);
      if (Arrays.equals(answer, golden)) {
        answers.incrementAndGet();
        slowest.accumulateAndGet(System.nanoTime() - asked, Math::max);
      } else {
        faults.add("other bytes: " + new String(answer));
      }
    } catch (RuntimeException e) {
      faults.add(e.toString());
    }
  }

  /** How many answers there were. */
  public int answers() {
    return answers.get();
  }

  /** How many connections this keeps. */
  public int connections() {
    return CLIENTS;
  }

  /** Stops, and fails if one client ever got anything but the right answer, soon. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clients.forEach(RawClient::close);
    assertThat(faults).as("faults seen by clients that do nothing wrong").isEmpty();
    assertThat(answers).as("answers").hasPositiveValue();
    assertThat(Duration.ofNanos(slowest.get())).as("slowest answer").isLessThan(SOON);
  }
}
