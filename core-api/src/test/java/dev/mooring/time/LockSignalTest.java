package dev.mooring.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockSignalTest {
  private final SimTime time = new SimTime();
  private final Time.Signal signal = time.newSignal();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private static boolean result(Future<Boolean> waiting) {
    return assertTimeoutPreemptively(TestWait.LONGEST, () -> waiting.get());
  }

  private Future<Boolean> startWaiting(AtomicBoolean condition) {
    Future<Boolean> waiting =
        threads.submit(() -> signal.await(condition::get, Duration.ofSeconds(5)));
    TestWait.until("the thread waits", () -> time.pendingTimers() > 0 || waiting.isDone());
    return waiting;
  }

  @Test
  void await_conditionHolds_returnsAtOnce() throws Exception {
    assertThat(signal.await(() -> true, Duration.ZERO)).isTrue();
    assertThat(signal.await(() -> false, Duration.ZERO)).isFalse();
  }

  @Test
  void raise_waitingThread_checksConditionAgain() {
    AtomicBoolean condition = new AtomicBoolean();
    Future<Boolean> waiting = startWaiting(condition);
    signal.raise();
    condition.set(true);
    signal.raise();
    assertThat(result(waiting)).isTrue();
    assertThat(time.pendingTimers()).as("pending timers").isZero();
  }

  @Test
  void await_timeout_returnsFalse() {
    Future<Boolean> waiting = startWaiting(new AtomicBoolean());
    time.advance(Duration.ofSeconds(4));
    assertThat(waiting.isDone()).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(result(waiting)).isFalse();
  }

  /** A raise between the check and the wait would be lost without a counter. */
  @Test
  void raise_duringCheck_isNotLost() {
    AtomicInteger checks = new AtomicInteger();
    Future<Boolean> waiting =
        threads.submit(() ->
            signal.await(
                () -> {
                  if (checks.incrementAndGet() == 1) {
                    signal.raise(); // as another thread might, directly after this check
                    return false;
                  }
                  return true;
                },
                Duration.ofSeconds(5)));
    assertThat(result(waiting)).isTrue();
  }
}
