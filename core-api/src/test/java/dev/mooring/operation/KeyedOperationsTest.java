package dev.mooring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.operation.KeyedOperations.Job;
import dev.mooring.operation.KeyedOperations.Start;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import dev.mooring.workqueue.ReconcileContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class KeyedOperationsTest {
  private final SimTime time = new SimTime();
  private final List<String> requeued = new CopyOnWriteArrayList<>();
  private final KeyedOperations<String> operations =
      new KeyedOperations<>("test", time, Compat.MOORING, requeued::add);

  private static final JobResult UNREACHABLE = JobResult.unreachable("no answer");

  private static JobResult failed(Failure failure) {
    return new JobResult.Failed(failure);
  }

  private void finish(JobResult result) throws InterruptedException {
    finish(operations, "a", "basis", result);
  }

  private static void finish(
      KeyedOperations<String> operations, String key, Object basis, JobResult result)
      throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    assertThat(
            operations.start(
                key,
                basis,
                () -> {
                  ran.countDown();
                  return result;
                }))
        .isEqualTo(Start.STARTED);
    assertThat(ran.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    TestWait.until("end of the job", () -> operations.runningJobs() == 0);
  }

  @Test
  void done_always_doesNotRequeue() throws InterruptedException {
    finish(JobResult.DONE);
    time.advance(Duration.ofHours(1));
    assertThat(requeued).isEmpty();
  }

  @Test
  void noted_always_requeuesOnce() throws InterruptedException {
    finish(JobResult.REQUEUE);
    time.advance(Duration.ofHours(1));
    assertThat(requeued).containsExactly("a");
  }

  @Test
  void isQuiet_whileRequeuing_isFalse() throws InterruptedException {
    List<Boolean> quiet = new CopyOnWriteArrayList<>();
    AtomicReference<KeyedOperations<String>> operationsRef = new AtomicReference<>();
    KeyedOperations<String> observed =
        new KeyedOperations<>(
            "test",
            time,
            Compat.MOORING,
            key -> quiet.add(Objects.requireNonNull(operationsRef.get()).isQuiet()));
    operationsRef.set(observed);
    finish(observed, "a", "basis", JobResult.REQUEUE);
    assertThat(quiet).containsExactly(false);
  }

  @Test
  void start_sameBasisAfterRejection_isRefused() throws InterruptedException {
    finish(failed(new Failure.Rejected("mode Block is not supported")));
    time.advance(Duration.ofMinutes(59));
    assertThat(requeued).isEmpty();
    assertThat(operations.start("a", "basis", () -> JobResult.DONE)).isEqualTo(Start.REJECTED);
    assertThat(operations.isQuiet()).isTrue();
    finish(operations, "a", "another", JobResult.DONE);
  }

  // Otherwise a job that fails each time for a passing cause would never back off.
  @Test
  void endPause_afterFailures_allowsStartButKeepsCount() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      finish(UNREACHABLE);
      assertThat(operations.start("a", () -> JobResult.DONE)).isEqualTo(Start.BACKING_OFF);
      operations.endBackoff("a");
    }
    finish(UNREACHABLE);
    time.advance(Duration.ofSeconds(121));
    assertThat(operations.start("a", () -> JobResult.DONE)).isEqualTo(Start.BACKING_OFF);
  }

  @Test
  void endPause_runningJobFails_requeuesAtOnce() throws InterruptedException {
    CountDownLatch finish = new CountDownLatch(1);
    operations.start(
        "a",
        () -> {
          finish.await();
          return UNREACHABLE;
        });
    operations.endBackoff("a");
    finish.countDown();
    TestWait.until("end of the job", () -> operations.runningJobs() == 0);
    assertThat(requeued).containsExactly("a");
    finish(JobResult.DONE);
  }

  @Test
  void unanswered_repeated_isRequeuedWithinLimit() throws InterruptedException {
    JobResult unanswered = new JobResult.Unanswered("the server answered 401: Unauthorized");
    for (int i = 1; i <= 30; i++) {
      finish(unanswered);
      time.advance(Outcome.UNANSWERED_LONGEST.plusMillis(1));
      assertThat(requeued).hasSize(i);
    }
    // the API server's failures do not lengthen the back-off of a later failure
    finish(UNREACHABLE);
    time.advance(Duration.ofSeconds(33));
    assertThat(requeued).hasSize(31);
  }

  @Test
  void unanswered_afterFailures_keepsBackOff() throws InterruptedException {
    for (int i = 0; i < 9; i++) {
      finish(UNREACHABLE);
      time.advance(Duration.ofSeconds(123));
    }
    finish(new JobResult.Unanswered("no answer"));
    time.advance(Duration.ofSeconds(16));
    requeued.clear();
    finish(UNREACHABLE);
    time.advance(Duration.ofSeconds(121));
    assertThat(requeued).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(requeued).hasSize(1);
  }

  @Test
  void start_anHourAfterRejection_starts() throws InterruptedException {
    finish(failed(new Failure.Rejected("mode Block is not supported")));
    time.advance(Duration.ofMinutes(61));
    finish(JobResult.DONE);
  }

  @Test
  void rejected_kubernetesCompat_backsOff() throws InterruptedException {
    KeyedOperations<String> kubernetes =
        new KeyedOperations<>("test", time, Compat.KUBERNETES, requeued::add);
    finish(kubernetes, "a", "basis", failed(new Failure.Rejected("no")));
    assertThat(kubernetes.start("a", "basis", () -> JobResult.DONE)).isEqualTo(Start.BACKING_OFF);
    time.advance(Duration.ofMillis(501));
    assertThat(requeued).containsExactly("a");
  }

  @Test
  void exhausted_withRetryAfter_waitsForIt() throws InterruptedException {
    finish(failed(new Failure.Exhausted("full", Duration.ofSeconds(30))));
    time.advance(Duration.ofSeconds(29));
    assertThat(operations.start("a", "basis", () -> JobResult.DONE)).isEqualTo(Start.BACKING_OFF);
    assertThat(requeued).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(requeued).containsExactly("a");
    finish(JobResult.DONE);
  }

  @Test
  void keyCount_endedBackOffs_areForgotten() {
    failJobs("gone-");
    time.advance(Duration.ofHours(2));
    failJobs("new-");
    assertThat(operations.keyCount()).isLessThan(4000);
  }

  private void failJobs(String prefix) {
    for (int i = 0; i < 3000; i++) {
      assertThat(operations.start(prefix + i, () -> UNREACHABLE)).isEqualTo(Start.STARTED);
    }
    TestWait.until("end of all jobs", () -> operations.runningJobs() == 0);
  }

  @Test
  void start_runningKey_isRejectedUntilItEnds() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    operations.start(
        "a",
        () -> {
          release.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS);
          return JobResult.DONE;
        });
    assertThat(operations.start("a", () -> JobResult.DONE)).isEqualTo(Start.ALREADY_RUNNING);
    assertThat(operations.start("b", () -> JobResult.DONE)).isEqualTo(Start.STARTED);
    release.countDown();
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(operations.start("c", () -> JobResult.DONE)).isEqualTo(Start.CLOSED);
  }

  // Runs a job to the given end and requests jobs with the other bases meanwhile.
  private void requestMeanwhile(JobResult result, Object... bases) throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    operations.start(
        "a",
        "basis",
        () -> {
          release.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS);
          return result;
        });
    for (Object basis : bases) {
      assertThat(operations.start("a", basis, () -> JobResult.DONE))
          .isEqualTo(Start.ALREADY_RUNNING);
    }
    release.countDown();
    TestWait.until("end of the job", () -> operations.runningJobs() == 0);
  }

  @Test
  void start_otherBasisWhileRunning_requeuesAtEnd() throws InterruptedException {
    requestMeanwhile(JobResult.DONE, "another", "basis");
    assertThat(requeued).as("another basis was requested").containsExactly("a");
    finish(JobResult.DONE);
    assertThat(requeued).as("only once").containsExactly("a");
  }

  @Test
  void start_otherBasisWhileRejected_requeuesAtEnd() throws InterruptedException {
    requestMeanwhile(failed(new Failure.Rejected("too small")), "another");
    assertThat(requeued).containsExactly("a");
    finish(operations, "a", "another", JobResult.DONE);
  }

  @Test
  void start_sameBasisWhileRunning_doesNotRequeue() throws InterruptedException {
    requestMeanwhile(JobResult.DONE, "basis", "basis");
    assertThat(requeued).isEmpty();
  }

  @Test
  void start_otherBasisWhileFailing_requeuesAfterBackOff() throws InterruptedException {
    requestMeanwhile(UNREACHABLE, "another");
    assertThat(requeued).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(requeued).containsExactly("a");
  }

  @Test
  void start_jobNotScheduledYet_countsAsRunning() throws InterruptedException {
    List<Runnable> scheduled = new CopyOnWriteArrayList<>();
    CountDownLatch ran = new CountDownLatch(1);
    Job job =
        () -> {
          ran.countDown();
          return JobResult.DONE;
        };
    assertThat(operations.start("a", "a", job, scheduled::add)).isEqualTo(Start.STARTED);
    assertThat(operations.start("a", "a", job, scheduled::add)).isEqualTo(Start.ALREADY_RUNNING);
    assertThat(operations.isRunning("a")).isTrue();
    assertThat(operations.isQuiet()).isFalse();
    assertThat(ran.getCount()).isEqualTo(1);
    scheduled.getFirst().run();
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(ran.getCount()).isZero();
    assertThat(scheduled).hasSize(1);
  }

  // The next leader must not overlap with a job that starts late.
  @Test
  void start_jobScheduledAfterClose_doesNotRun() throws InterruptedException {
    List<Runnable> scheduled = new CopyOnWriteArrayList<>();
    AtomicBoolean hasStarted = new AtomicBoolean();
    operations.start(
        "a",
        "a",
        () -> {
          hasStarted.set(true);
          return UNREACHABLE;
        },
        scheduled::add);
    assertThat(operations.close(Duration.ZERO)).as("job has not ended").isFalse();
    scheduled.getFirst().run();
    assertThat(operations.runningJobs()).isZero();
    assertThat(hasStarted).isFalse();
  }

  // Otherwise the job could write after another process became leader.
  @Test
  void close_runningJob_waitsForItsEnd() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    AtomicBoolean cleanedUp = new AtomicBoolean();
    Thread closingThread = Thread.currentThread();
    operations.start(
        "a",
        () -> {
          running.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            TestWait.until(
                "close waits", () -> closingThread.getState() == Thread.State.TIMED_WAITING);
            cleanedUp.set(true);
          }
          return JobResult.DONE;
        });
    running.await();
    assertThat(operations.close(Duration.ZERO)).as("without an interrupt").isFalse();
    assertThat(cleanedUp).isTrue();
    assertThat(operations.runningJobs()).isZero();
  }

  @Test
  void isQuiet_backOffEndsSoon_isFalse() throws InterruptedException {
    assertThat(operations.isQuiet()).isTrue();
    finish(UNREACHABLE);
    assertThat(operations.isQuiet()).as("back-off ends in 0.5 s").isFalse();
    time.advance(Duration.ofMillis(501));
    finish(UNREACHABLE);
    time.advance(Duration.ofMillis(1001));
    finish(UNREACHABLE);
    assertThat(operations.isQuiet()).as("back-off ends in 2 s").isTrue();
    time.advance(Duration.ofMillis(1500));
    assertThat(operations.isQuiet()).as("back-off ends in 0.5 s").isFalse();
  }

  @Test
  void failed_repeated_requeuesAfterDoublingBackOff() throws InterruptedException {
    finish(UNREACHABLE);
    assertThat(operations.start("a", () -> JobResult.DONE)).isEqualTo(Start.BACKING_OFF);
    assertThat(requeued).isEmpty();
    time.advance(Duration.ofMillis(501));
    assertThat(requeued).containsExactly("a");
    finish(UNREACHABLE);
    time.advance(Duration.ofMillis(501));
    assertThat(operations.start("a", () -> JobResult.DONE)).isEqualTo(Start.BACKING_OFF);
    time.advance(Duration.ofMillis(501));
    finish(JobResult.DONE);
    finish(JobResult.DONE);
  }

  @Test
  void delay_failureCounts_matchKubernetes() {
    assertThat(List.of(1, 2, 3, 8, 9, 10, 1000))
        .extracting(n -> OperationSlot.BACKOFF.delayAfter(n).toMillis())
        .containsExactly(500L, 1000L, 2000L, 64000L, 122000L, 122000L, 122000L);
  }

  @Test
  void start_inReconcile_jobInheritsActivity() throws InterruptedException {
    List<String> acts = new CopyOnWriteArrayList<>();
    ReconcileContext.ReconcileListener listener =
        new ReconcileContext.ReconcileListener() {
          @Override
          public void requestAnswered(boolean write, String target, int content) {
            acts.add(target);
          }

          @Override
          public void ownWriteObserved() {}
        };
    ReconcileContext.<Start, RuntimeException>run(
        listener,
        () ->
            operations.start(
                "a",
                () -> {
                  Objects.requireNonNull(ReconcileContext.current())
                      .requestAnswered(false, "/volumes/v", 0);
                  return JobResult.DONE;
                }));
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(acts).containsExactly("/volumes/v");
  }
}
