package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.Failure;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.KeyOutcome;
import dev.mooring.workqueue.ReconcileContext;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerTest {
  private final SimTime time = new SimTime();
  private final WorkQueue<String> queue = new WorkQueue<>("test", time);

  @Test
  void reconcile_throws_retriesOnlyThatKey() throws InterruptedException {
    List<String> reconciled = new CopyOnWriteArrayList<>();
    CountDownLatch twoCalls = new CountDownLatch(2);
    Worker<String> worker =
        new Worker<>(
            queue,
            key -> {
              reconciled.add(key);
              twoCalls.countDown();
              if (key.equals("bad")) {
                throw new IllegalStateException("a bug");
              }
              return Outcome.SETTLED;
            },
            1);
    queue.add("bad");
    queue.add("good");
    worker.start();
    assertThat(twoCalls.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(worker.stop(Duration.ofSeconds(10))).isTrue();
    assertThat(reconciled).containsExactly("bad", "good");
    assertThat(queue.stats().outcomes()).containsEntry(KeyOutcome.FAULT, 1L);
    assertThat(queue.failures("bad")).isEqualTo(1);
    assertThat(queue.failures("good")).isZero();
  }

  @Test
  void outcome_eachType_setsBackOffAndCounts() throws InterruptedException {
    CountDownLatch calls = new CountDownLatch(7);
    Worker<String> worker =
        new Worker<>(
            queue,
            key -> {
              calls.countDown();
              return switch (key) {
                case "settled" -> Outcome.SETTLED;
                case "again" -> new Outcome.CheckAgain(Duration.ofMinutes(1));
                case "conflicted" -> new Outcome.Conflicted("another writer was first");
                case "deferred", "prompted" -> Outcome.DEFERRED;
                case "retry" -> new Outcome.Retry(new Failure.Unreachable("no answer"));
                default -> new Outcome.GiveUp(new Failure.Rejected("never"));
              };
            },
            1);
    List.of("settled", "deferred").forEach(queue::addRateLimited); // failed before
    time.advance(Backoff.DEFAULT_FIRST);
    queue.addRateLimited("prompted");
    List.of("prompted", "again", "conflicted", "retry", "giveUp").forEach(queue::add);
    worker.start();
    assertThat(calls.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    worker.stop(Duration.ofSeconds(10));
    assertThat(queue.failures("conflicted")).isEqualTo(1);
    assertThat(queue.failures("retry")).isEqualTo(1);
    assertThat(queue.failures("giveUp")).isZero();
    assertThat(queue.failures("settled")).isZero();
    assertThat(queue.failures("deferred")).as("not attempted").isEqualTo(1);
    assertThat(queue.failures("prompted")).isZero();
    assertThat(queue.stats().outcomes())
        .containsEntry(KeyOutcome.SETTLED, 4L)
        .containsEntry(KeyOutcome.GIVEN_UP, 1L);
  }

  @Test
  void hotLoop_repeatedWrite_isSlowedDownAndCounted() throws InterruptedException {
    AtomicInteger reconciles = new AtomicInteger();
    Worker<String> worker =
        new Worker<>(
            queue,
            key -> {
              reconciles.incrementAndGet();
              Objects.requireNonNull(ReconcileContext.current())
                  .requestAnswered(true, "PATCH /claims/c", 1);
              queue.add(key); // as the event handler does after the key's own write
              return Outcome.SETTLED;
            },
            1);
    queue.add("c");
    for (int second = 0; second < 600; second++) {
      while (queue.depth() > 0 && worker.processNext()) {
        assertThat(reconciles).as("hot loop").hasValueLessThan(1000);
      }
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(reconciles).hasValueLessThan(60);
    assertThat(queue.stats().outcomes()).containsEntry(KeyOutcome.RESTLESS, 1L);
    int callsBefore = reconciles.get();
    queue.add("c");
    worker.processNext();
    assertThat(reconciles)
        .as("a key with an external change does not wait")
        .hasValue(callsBefore + 1);
  }

  @Test
  void requestStarting_atComputingLimit_letsAnotherKeyRun() throws InterruptedException {
    WorkQueue<String> narrow =
        WorkQueue.fair(
            "narrow",
            new SystemTime(),
            new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
            key -> key,
            1);
    CountDownLatch twoCalls = new CountDownLatch(2);
    Worker<String> worker =
        new Worker<>(
            narrow,
            key -> {
              Objects.requireNonNull(ReconcileContext.current()).requestStarting();
              twoCalls.countDown();
              twoCalls.await(); // ends only if both keys run at the same time
              return Outcome.SETTLED;
            },
            2);
    narrow.add("a");
    narrow.add("b");
    worker.start();
    assertThat(twoCalls.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    worker.stop(Duration.ofSeconds(10));
  }

  @Test
  void reconcile_throws_countsFaultAndRetry() throws InterruptedException {
    Worker<String> worker =
        new Worker<>(
            queue,
            key -> {
              throw new IllegalStateException("a bug");
            },
            1);
    queue.add("bad");
    worker.processNext();
    assertThat(queue.stats().outcomes())
        .containsEntry(KeyOutcome.FAULT, 1L)
        .containsEntry(KeyOutcome.RETRIED, 1L);
  }

  @Test
  void exhausted_withRetryAfter_waitsForIt() throws InterruptedException {
    AtomicInteger reconciles = new AtomicInteger();
    Worker<String> worker =
        new Worker<>(
            queue,
            key -> {
              reconciles.incrementAndGet();
              return Outcome.of(
                  new Failure.Exhausted("full", Duration.ofSeconds(30)), Compat.MOORING);
            },
            1);
    queue.add("c");
    worker.processNext();
    time.advance(Duration.ofSeconds(29));
    assertThat(queue.depth()).isZero();
    time.advance(Duration.ofSeconds(2));
    assertThat(queue.depth()).isEqualTo(1);
  }

  @Test
  void unanswered_repeated_isRetriedWithinLimit() throws InterruptedException {
    Worker<String> worker =
        new Worker<>(queue, key -> new Outcome.Unanswered("reading c: no answer"), 1);
    queue.add("c");
    for (int i = 0; i < 40; i++) {
      worker.processNext();
      time.advance(Outcome.UNANSWERED_LONGEST);
      assertThat(queue.depth()).isEqualTo(1);
    }
    assertThat(queue.failures("c")).as("capped").isLessThan(14);
  }

  @Test
  void conflict_afterManyFailures_isRetriedWithinLimit() throws InterruptedException {
    AtomicInteger reconciles = new AtomicInteger();
    Worker<String> worker =
        new Worker<>(
            queue,
            key ->
                reconciles.incrementAndGet() <= 15
                    ? new Outcome.Retry(new Failure.Unreachable("storage unreachable"))
                    : new Outcome.Conflicted("another writer was first"),
            1);
    queue.add("c");
    for (int i = 0; i < 15; i++) {
      worker.processNext();
      time.advance(Duration.ofMinutes(20));
    }
    for (int i = 0; i < 5; i++) {
      worker.processNext();
      time.advance(Outcome.CONFLICTED_LONGEST);
      assertThat(queue.depth()).isEqualTo(1);
    }
    assertThat(queue.failures("c")).as("conflicts not counted").isEqualTo(15);
  }

  @Test
  void rejected_byCompat_givesUpOrRetries() {
    Failure rejection = new Failure.Rejected("never");
    assertThat(Outcome.of(rejection, Compat.MOORING)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(Outcome.of(rejection, Compat.KUBERNETES)).isInstanceOf(Outcome.Retry.class);
  }
}
