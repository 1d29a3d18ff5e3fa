package dev.mooring.kube;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the number of concurrent writes. Grows by one per window of quick responses while it is
 * full. Halves when the server throttles. Shrinks by a tenth when a response takes more than three
 * times as long as the quickest recent one. Signals when no write is running, so that events yield
 * to writes. Thread-safe.
 */
public final class ConcurrencyWindow {
  /**
   * Small, because a process that has just started is slow, and writes that start together also end
   * together.
   */
  private static final int INITIAL_LIMIT = 8;

  private static final int MIN_LIMIT = 2;
  private static final int MAX_LIMIT = 256;
  private static final long FORGET_QUICKEST_NANOS = Duration.ofSeconds(30).toNanos();

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition slotFree = lock.newCondition();
  private final Condition slotFreeForPreferred = lock.newCondition();
  private final Condition idle = lock.newCondition();
  private int waitingPreferred;
  private double limit = INITIAL_LIMIT;
  private int running;
  private long quickestNanos = Long.MAX_VALUE;
  private long quickestSince;
  private long lastReduction;
  private long pausedUntil;
  private boolean wasPaused;
  private boolean wasReduced;

  public ConcurrencyWindow(Time time) {
    this.time = time;
    this.lastReduction = time.nanos();
    this.quickestSince = time.nanos();
  }

  public void enter(boolean isPreferred) throws InterruptedException {
    while (true) {
      long pause;
      lock.lockInterruptibly();
      try {
        pause = wasPaused ? pausedUntil - time.nanos() : 0;
        if (pause <= 0) {
          awaitSlot(isPreferred);
          running++;
          signalNext();
          return;
        }
      } finally {
        lock.unlock();
      }
      time.sleep(Duration.ofNanos(pause));
    }
  }

  private void awaitSlot(boolean isPreferred) throws InterruptedException {
    while (isFull() || !isPreferred && waitingPreferred > 0) {
      if (isPreferred) {
        awaitPreferred();
      } else {
        slotFree.await();
      }
    }
  }

  private void awaitPreferred() throws InterruptedException {
    waitingPreferred++;
    boolean isSignaled = false;
    try {
      slotFreeForPreferred.await();
      isSignaled = true;
    } finally {
      waitingPreferred--;
      if (!isSignaled) {
        signalNext(); // the signal of a waiter that is being interrupted would be lost
      }
    }
  }

  private boolean isFull() {
    return running >= (int) limit;
  }

  /**
   * Each waiter wakes the next one while there is room, because one completed write may have made
   * room for two.
   */
  private void signalNext() {
    if (!isFull()) {
      (waitingPreferred > 0 ? slotFreeForPreferred : slotFree).signal();
    }
  }

  private void releaseSlot() {
    running--;
    if (running == 0) {
      idle.signalAll();
    }
  }

  /**
   * Waits until no write is running and no throttling pause is in effect, or until the time has
   * passed. Used by senders that yield to writes.
   *
   * @param nanos limit in nanoseconds of the system clock
   * @return whether no write is running
   */
  public boolean awaitIdle(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long remainingNanos = nanos;
      while (isInUse() && remainingNanos > 0) {
        remainingNanos = idle.awaitNanos(remainingNanos);
      }
      return !isInUse();
    } finally {
      lock.unlock();
    }
  }

  private boolean isInUse() {
    return running > 0 || wasPaused && pausedUntil - time.nanos() > 0;
  }

  public void leave(long nanos) {
    lock.lock();
    try {
      boolean wasFull = isFull();
      releaseSlot();
      long now = time.nanos();
      if (nanos < quickestNanos || now - quickestSince > FORGET_QUICKEST_NANOS) {
        quickestNanos = nanos;
        quickestSince = now;
      }
      boolean isSlow = nanos > 3 * quickestNanos && nanos > 20_000_000;
      if (isSlow && now - lastReduction > 10 * quickestNanos) {
        limit = Math.max(MIN_LIMIT, limit * 0.9);
        lastReduction = now;
        wasReduced = true;
      } else if (wasFull && !isSlow) {
        // until the server has shown its limit, the window doubles with each round trip
        limit = Math.min(MAX_LIMIT, limit + (wasReduced ? 1 / limit : 1));
      }
      signalNext();
    } finally {
      lock.unlock();
    }
  }

  public void withdraw() {
    lock.lock();
    try {
      releaseSlot();
      signalNext();
    } finally {
      lock.unlock();
    }
  }

  public void pauseWrites(Duration pause) {
    lock.lock();
    try {
      long now = time.nanos();
      if (now - lastReduction > 100_000_000) {
        limit = Math.max(MIN_LIMIT, limit / 2);
        wasReduced = true;
        lastReduction = now;
      }
      long pauseEnd = now + pause.toNanos();
      if (!wasPaused || pauseEnd - pausedUntil > 0) {
        pausedUntil = pauseEnd;
        wasPaused = true;
      }
    } finally {
      lock.unlock();
    }
  }

  public int limit() {
    lock.lock();
    try {
      return (int) limit;
    } finally {
      lock.unlock();
    }
  }
}
