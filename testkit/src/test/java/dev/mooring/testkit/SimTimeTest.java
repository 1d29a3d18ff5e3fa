package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SimTimeTest {
  private final SimTime time = new SimTime();
  private final CountDownLatch awake = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @Test
  void isWorking_fromCreationToEndOfThread_isTrue() throws Exception {
    Thread thread = time.newThread("works", () -> pass(mayEnd));
    assertThat(time.isWorking()).as("it may be started at any moment").isTrue();
    thread.start();
    assertThat(time.isWorking()).isTrue();
    mayEnd.countDown();
    thread.join();
    assertThat(time.isWorking()).isFalse();
  }

  @Test
  void isWorking_sleepingThread_isFalseUntilDue() throws Exception {
    Thread thread =
        time.newThread(
            "sleeps",
            () -> {
              sleep();
              pass(mayEnd);
            });
    thread.start();
    TestWait.until("it sleeps", () -> time.pendingTimers() == 1 && !time.isWorking());
    time.advance(Duration.ofSeconds(1));
    assertThat(time.isWorking()).as("at once, though it may not run yet").isTrue();
    mayEnd.countDown();
    thread.join();
    assertThat(time.isWorking()).isFalse();
  }

  @Test
  void sleep_interrupted_worksAgainWithoutTimer() throws Exception {
    Thread thread =
        time.newThread(
            "is stopped",
            () -> {
              sleep();
              awake.countDown();
              pass(mayEnd);
            });
    thread.start();
    TestWait.until("it sleeps", () -> time.pendingTimers() == 1 && !time.isWorking());
    thread.interrupt();
    awake.await();
    assertThat(time.isWorking()).isTrue();
    assertThat(time.pendingTimers()).isZero();
    mayEnd.countDown();
    thread.join();
    assertThat(time.isWorking()).isFalse();
  }

  @Test
  void isWorking_sleeperOfAnotherThread_isNotCounted() throws Exception {
    Thread worker = time.newThread("works", () -> pass(mayEnd));
    worker.start();
    Thread foreignThread = Thread.ofVirtual().start(this::sleep);
    TestWait.until("it sleeps", () -> time.pendingTimers() == 1);
    assertThat(time.isWorking()).isTrue();
    time.advance(Duration.ofSeconds(1));
    foreignThread.join();
    mayEnd.countDown();
    worker.join();
    assertThat(time.isWorking()).isFalse();
  }

  private void sleep() {
    try {
      time.sleep(Duration.ofSeconds(1));
    } catch (InterruptedException stopped) {
      // continues
    }
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
