package dev.mooring.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MutexTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 2_000;

  private final SystemTime time = new SystemTime();
  private final Mutex mutex = new Mutex(time);

  @AfterEach
  void stopTime() {
    time.close();
  }

  @Test
  void lock_manyThreads_oneHoldsItAtATime() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger max = new AtomicInteger();
    int[] rounds = {0}; // not atomic, because the mutex guards it
    Thread[] threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> Thread.ofVirtual().start(() -> take(inside, max, rounds)))
            .toArray(Thread[]::new);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(max.get()).isEqualTo(1);
    assertThat(rounds[0]).isEqualTo(THREADS * ROUNDS);
    assertThat(mutex.isLocked()).isFalse();
  }

  private void take(AtomicInteger inside, AtomicInteger max, int[] rounds) {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        mutex.lock();
        try {
          max.accumulateAndGet(inside.incrementAndGet(), Math::max);
          Thread.yield();
          rounds[0]++;
          inside.decrementAndGet();
        } finally {
          mutex.unlock();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void lock_interrupted_isNotAcquired() throws InterruptedException {
    mutex.lock();
    Thread.currentThread().interrupt();
    assertThatThrownBy(mutex::lock).isInstanceOf(InterruptedException.class);
    assertThat(mutex.isLocked()).isTrue();
    mutex.unlock();
    assertThat(mutex.isLocked()).isFalse();
  }
}
