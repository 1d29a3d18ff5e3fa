package dev.mooring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.operation.KeyedOperations.Job;
import dev.mooring.operation.KeyedOperations.Start;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class KeyedOperationsTest {
  private final SimTime time = new SimTime();
  private final List<String> woken = new CopyOnWriteArrayList<>();
  private final KeyedOperations<String> operations =
      new KeyedOperations<>("test", time, woken::add);

  private void finish(boolean success) throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    assertThat(
            operations.start(
                "a",
                () -> {
                  ran.countDown();
                  return success;
                }))
        .isEqualTo(Start.STARTED);
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    while (operations.running() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void oneRunPerKey() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    operations.start("a", () -> release.await(10, TimeUnit.SECONDS));
    assertThat(operations.start("a", () -> true)).isEqualTo(Start.ALREADY_RUNNING);
    assertThat(operations.start("b", () -> true)).isEqualTo(Start.STARTED);
    release.countDown();
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(operations.start("c", () -> true)).isEqualTo(Start.CLOSED);
  }

  @Test
  void aJobThatWaitsItsTurnRunsAsFarAsOthersAreConcerned() throws InterruptedException {
    List<Runnable> turns = new CopyOnWriteArrayList<>();
    CountDownLatch ran = new CountDownLatch(1);
    Job job =
        () -> {
          ran.countDown();
          return true;
        };
    assertThat(operations.start("a", job, turns::add)).isEqualTo(Start.STARTED);
    assertThat(operations.start("a", job, turns::add)).isEqualTo(Start.ALREADY_RUNNING);
    assertThat(operations.isRunning("a")).isTrue();
    assertThat(operations.isQuiet()).isFalse();
    assertThat(ran.getCount()).isEqualTo(1);
    turns.getFirst().run();
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(ran.getCount()).isZero();
    assertThat(turns).hasSize(1);
  }

  @Test
  void aTurnThatComesAfterTheEndIsInterrupted() throws InterruptedException {
    List<Runnable> turns = new CopyOnWriteArrayList<>();
    CountDownLatch interrupted = new CountDownLatch(1);
    operations.start(
        "a",
        () -> {
          try {
            Thread.sleep(Duration.ofMinutes(1));
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          return false;
        },
        turns::add);
    assertThat(operations.close(Duration.ZERO)).as("it has not ended").isFalse();
    turns.getFirst().run();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatIsAboutToBeTriedAgainIsNotQuiet() throws InterruptedException {
    assertThat(operations.isQuiet()).isTrue();
    finish(false);
    assertThat(operations.isQuiet()).as("half a second of back-off is left").isFalse();
    time.advance(Duration.ofMillis(501));
    finish(false);
    time.advance(Duration.ofMillis(1001));
    finish(false);
    assertThat(operations.isQuiet()).as("two seconds are left").isTrue();
    time.advance(Duration.ofMillis(1500));
    assertThat(operations.isQuiet()).as("half a second is left").isFalse();
  }

  @Test
  void failuresBackOffAndWakeTheKeyWhenItIsOver() throws InterruptedException {
    finish(false);
    assertThat(operations.start("a", () -> true)).isEqualTo(Start.BACKING_OFF);
    assertThat(woken).isEmpty();
    time.advance(Duration.ofMillis(501));
    assertThat(woken).containsExactly("a");
    finish(false);
    time.advance(Duration.ofMillis(501));
    assertThat(operations.start("a", () -> true)).isEqualTo(Start.BACKING_OFF);
    time.advance(Duration.ofMillis(501));
    finish(true);
    finish(true);
  }

  @Test
  void backOffIsKubernetes() {
    assertThat(List.of(1, 2, 3, 8, 9, 10, 1000))
        .extracting(n -> KeyedOperations.delay(n).toMillis())
        .containsExactly(500L, 1000L, 2000L, 64000L, 122000L, 122000L, 122000L);
  }
}
