package dev.mooring.time;

import dev.mooring.thread.ThreadSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Clock, timers, pauses and threads in one port, so that tests can control all of them.
 * Implementations are thread-safe. {@link SystemTime} is the real one; the testkit has a simulated
 * implementation, which advances only on request.
 */
public interface Time extends ThreadSource {
  /**
   * Returns a monotonic time in nanoseconds with an arbitrary origin, for durations and deadlines.
   */
  long nanos();

  /** Returns the wall clock time, for timestamps that leave the process; never for durations. */
  Instant now();

  /**
   * Blocks the caller; returns at once if the duration is not positive.
   *
   * @throws InterruptedException if interrupted meanwhile
   */
  void sleep(Duration duration) throws InterruptedException;

  /**
   * Runs a task once after a delay, on the timer's thread. The task must be short, must not block
   * and must not throw.
   *
   * @return handle to cancel the task before it starts; harmless afterwards
   */
  Cancellable schedule(Duration delay, Runnable task);

  /** Returns a thread for work of the process; a test's scheduler may run it. */
  @Override
  default Thread newThread(String name, Runnable body) {
    return VIRTUAL.newThread(name, body);
  }

  default boolean join(Thread thread, Duration atMost) throws InterruptedException {
    return thread.join(atMost);
  }

  default Condition newCondition(ReentrantLock lock) {
    return lock.newCondition();
  }

  default Signal newSignal() {
    return new LockSignal(this);
  }

  /** Lets threads wait until other threads change something. Thread-safe. */
  interface Signal {
    void raise();

    /**
     * Waits until the condition holds, at most for the given time. Evaluates the condition first at
     * once, then after every {@link #raise}; it must be quick and must not block.
     *
     * @return whether the condition holds
     * @throws InterruptedException if interrupted meanwhile
     */
    boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException;
  }

  @FunctionalInterface
  interface Cancellable {
    void cancel();
  }
}
