package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SimTimeTest {
  private final SimTime time = new SimTime();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void whoRunsWorksFromItsMakingToItsEnd() throws Exception {
    Thread thread = time.thread("works", () -> pass(end));
    assertThat(time.isWorking()).as("it may be started at any moment").isTrue();
    thread.start();
    assertThat(time.isWorking()).isTrue();
    end.countDown();
    thread.join();
    assertThat(time.isWorking()).isFalse();
  }

  @Test
  void whoSleepsDoesNotWorkUntilItsTimeHasCome() throws Exception {
    Thread thread =
        time.thread(
            "sleeps",
            () -> {
              sleep();
              pass(end);
            });
    thread.start();
    TestWait.until("it sleeps", () -> time.pending() == 1 && !time.isWorking());
    time.advance(Duration.ofSeconds(1));
    assertThat(time.isWorking()).as("at once, though it may not run yet").isTrue();
    end.countDown();
    thread.join();
    assertThat(time.isWorking()).isFalse();
  }

  @Test
  void whoIsStoppedAsleepWorksAgainAndLeavesNoTimer() throws Exception {
    Thread thread =
        time.thread(
            "is stopped",
            () -> {
              sleep();
              begun.countDown();
              pass(end);
            });
    thread.start();
    TestWait.until("it sleeps", () -> time.pending() == 1 && !time.isWorking());
    thread.interrupt();
    begun.await();
    assertThat(time.isWorking()).isTrue();
    assertThat(time.pending()).isZero();
    end.countDown();
    thread.join();
    assertThat(time.isWorking()).isFalse();
  }

  @Test
  void sleepersOfOthersAreNotCounted() throws Exception {
    Thread worker = time.thread("works", () -> pass(end));
    worker.start();
    Thread other = Thread.ofVirtual().start(this::sleep);
    TestWait.until("it sleeps", () -> time.pending() == 1);
    assertThat(time.isWorking()).isTrue();
    time.advance(Duration.ofSeconds(1));
    other.join();
    end.countDown();
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
