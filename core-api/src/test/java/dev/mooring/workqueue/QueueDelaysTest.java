package dev.mooring.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Additions after a delay or back-off, and reminders. */
class QueueDelaysTest extends WorkQueueFixture {
  @Test
  void g5_delayedKey_isNeitherEarlyNorLost() {
    queue.addAfter("a", Duration.ofSeconds(2));
    time.advance(Duration.ofMillis(1));
    assertThat(queue.isIdle(Duration.ofMillis(1))).isTrue();
    time.advance(Duration.ofMillis(1998));
    assertThat(queue.depth()).isZero();
    assertThat(queue.isIdle(Duration.ofSeconds(2))).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(queue.depth()).isEqualTo(1);
  }

  /** Another implementation drops delayed additions beyond a buffer of 1,000. */
  @Test
  void g5_manyDelayedKeys_noneIsLost() {
    WorkQueue<Integer> many = new WorkQueue<>("many", time);
    for (int i = 0; i < 100_000; i++) {
      many.addAfter(i, Duration.ofMillis(1 + i % 500));
    }
    time.advance(Duration.ofMillis(500));
    assertThat(many.depth()).isEqualTo(100_000);
  }

  /** An annotation of a volume may contain a deadline in the year 9999. */
  @Test
  void g5_delayOfThousandsOfYears_isAccepted() throws InterruptedException {
    queue.addAfter("a", Duration.ofDays(3_000_000));
    queue.addAfter("b", Duration.ofSeconds(1));
    time.advance(Duration.ofSeconds(1));
    assertThat(take()).isEqualTo("b");
    assertThat(queue.depth()).isZero();
    queue.addAfter("a", Duration.ofSeconds(1));
    time.advance(Duration.ofSeconds(1));
    assertThat(take()).isEqualTo("a");
  }

  @Test
  void g5_severalDelays_earliestApplies() throws InterruptedException {
    queue.addAfter("a", Duration.ofSeconds(5));
    queue.addAfter("a", Duration.ofSeconds(1));
    queue.addAfter("a", Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(1));
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    time.advance(Duration.ofSeconds(10));
    assertThat(queue.depth()).as("later delays are dropped").isZero();
  }

  @Test
  void g6_manyFailures_backOffStaysAtCap() {
    Backoff<String> backoff = new Backoff<>(Duration.ofMillis(5), Duration.ofSeconds(1000));
    Duration last = Duration.ZERO;
    for (int i = 1; i <= 200; i++) {
      Duration delay = backoff.nextDelay("a");
      assertThat(delay)
          .as("failure %d", i)
          .isGreaterThanOrEqualTo(last)
          .isLessThanOrEqualTo(Duration.ofSeconds(1000));
      last = delay;
    }
    assertThat(last).isEqualTo(Duration.ofSeconds(1000));
    assertThat(backoff.nextDelay("b")).isEqualTo(Duration.ofMillis(5));
    backoff.forget("a");
    assertThat(backoff.nextDelay("a")).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void g6_failuresOfUnknownKeys_storesNothing() {
    Backoff<String> backoff = new Backoff<>(Duration.ofMillis(5), Duration.ofSeconds(1));
    for (int i = 0; i < 1000; i++) {
      assertThat(backoff.failures("k" + i)).isZero();
    }
    assertThat(backoff.size()).isZero();
  }

  @Test
  void g6_retriedKey_returnsAfterBackOff() throws InterruptedException {
    queue.addRateLimited("a");
    queue.addRateLimited("a");
    assertThat(queue.failures("a")).isEqualTo(2);
    time.advance(Duration.ofMillis(5));
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    queue.forget("a");
    assertThat(queue.failures("a")).isZero();
    assertThat(queue.stats().retries()).isEqualTo(2);
  }

  @Test
  void g10_reminderOfFailedKey_keepsBackOff() throws InterruptedException {
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    queue.addIfNotBackingOff("a");
    queue.addRateLimited("a");
    queue.done("a");
    queue.addIfNotBackingOff("a");
    assertThat(queue.depth()).as("key in back-off").isZero();
    time.advance(Duration.ofMillis(5));
    assertThat(take()).isEqualTo("a");

    queue.addIfNotBackingOff("a");
    queue.forget("a");
    queue.done("a");
    assertThat(take()).as("key without back-off").isEqualTo("a");
    queue.done("a");
    queue.addIfNotBackingOff("a");
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    assertThat(queue.depth()).isZero();
  }

  @Test
  void g10_additionAndReminder_endsBackOff() throws InterruptedException {
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    queue.addIfNotBackingOff("a");
    queue.add("a");
    queue.addIfNotBackingOff("a");
    queue.addRateLimited("a");
    queue.done("a");
    assertThat(take()).isEqualTo("a");
  }
}
