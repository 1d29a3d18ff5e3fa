package dev.mooring.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 2_000;

  private final SystemTime time = new SystemTime();
  private final Turn turn = new Turn(time);

  @AfterEach
  void stopTime() {
    time.close();
  }

  @Test
  void oneHasItAtATimeAndEverybodyGetsIt() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    int[] rounds = {0}; // plain: a turn is what guards it
    Thread[] threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> Thread.ofVirtual().start(() -> take(inside, most, rounds)))
            .toArray(Thread[]::new);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isEqualTo(1);
    assertThat(rounds[0]).isEqualTo(THREADS * ROUNDS);
    assertThat(turn.isTaken()).isFalse();
  }

  private void take(AtomicInteger inside, AtomicInteger most, int[] rounds) {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        turn.begin();
        try {
          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
          Thread.yield();
          rounds[0]++;
          inside.decrementAndGet();
        } finally {
          turn.end();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whoIsInterruptedWhileWaitingDoesNotGetIt() throws InterruptedException {
    turn.begin();
    Thread.currentThread().interrupt();
    assertThatThrownBy(turn::begin).isInstanceOf(InterruptedException.class);
    assertThat(turn.isTaken()).isTrue();
    turn.end();
    assertThat(turn.isTaken()).isFalse();
  }
}
