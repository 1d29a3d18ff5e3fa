package dev.mooring.time;

import dev.mooring.thread.ThreadSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Clock, timers, pauses and threads in one port, so that a test can own all four. Implementations
 * are thread-safe. {@link SystemTime} is the real one; the test kit has a simulated one that moves
 * only when told.
 */
public interface Time extends ThreadSource {
  /** A monotonic clock in nanoseconds with an arbitrary origin; for measuring and for deadlines. */
  long nanos();

  /** The wall clock; for timestamps that leave the process, never for measuring. */
  Instant now();

  /**
   * Blocks the caller for that long; returns at once for zero or less.
   *
   * @throws InterruptedException if interrupted meanwhile
   */
  void sleep(Duration duration) throws InterruptedException;

  /**
   * Runs something once after the delay, on the timer's own thread: it must be short, must not
   * block and must not throw.
   *
   * @return withdraws the task if it has not begun; harmless afterwards
   */
  Cancellable schedule(Duration delay, Runnable task);

  /** A thread for work of the process, which a test's own scheduler may run. */
  @Override
  default Thread thread(String name, Runnable body) {
    return VIRTUAL.thread(name, body);
  }

  /**
   * Waits until a thread of {@link #thread} that was started has ended, or the time is over.
   *
   * @return whether it has ended
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  default boolean join(Thread thread, Duration atMost) throws InterruptedException {
    return thread.join(atMost);
  }

  /** A condition of that lock, on which threads of {@link #thread} may wait. */
  default Condition condition(ReentrantLock lock) {
    return lock.newCondition();
  }

  /** Something to wait on that is not raised yet. */
  default Signal signal() {
    return new LockSignal(this);
  }

  /** Lets threads wait for what other threads bring about. Thread-safe. */
  interface Signal {
    /** Says that something may have changed: whoever waits looks again. */
    void raise();

    /**
     * Blocks until the condition holds or the time is over. The condition is looked at first at
     * once, and then after every {@link #raise}; it must be quick and must not wait itself.
     *
     * @return whether the condition holds
     * @throws InterruptedException if interrupted meanwhile
     */
    boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException;
  }

  /** Withdraws what was scheduled. */
  @FunctionalInterface
  interface Cancellable {
    /** Withdraws it if it has not begun. */
    void cancel();
  }
}
