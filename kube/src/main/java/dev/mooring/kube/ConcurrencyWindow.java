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
  private static final int INITIAL = 8;

  private static final int MIN = 2;
  private static final int MAX = 256;
  private static final long FORGET_QUICKEST_NANOS = Duration.ofSeconds(30).toNanos();

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free = lock.newCondition();
  private final Condition freeForPreferred = lock.newCondition();
  private final Condition none = lock.newCondition();
  private int waitingPreferred;
  private double limit = INITIAL;
  private int used;
  private long quickest = Long.MAX_VALUE;
  private long quickestSince;
  private long lastReduction;
  private long pausedUntil;
  private boolean everPaused;
  private boolean everReduced;

  public ConcurrencyWindow(Time time) {
    this.time = time;
    this.lastReduction = time.nanos();
    this.quickestSince = time.nanos();
  }

  public void enter(boolean preferred) throws InterruptedException {
    while (true) {
      long pause;
      lock.lockInterruptibly();
      try {
        pause = everPaused ? pausedUntil - time.nanos() : 0;
        if (pause <= 0) {
          awaitRoom(preferred);
          used++;
          signalNext();
          return;
        }
      } finally {
        lock.unlock();
      }
      time.sleep(Duration.ofNanos(pause));
    }
  }

  private void awaitRoom(boolean preferred) throws InterruptedException {
    while (isFull() || !preferred && waitingPreferred > 0) {
      if (preferred) {
        awaitPreferred();
      } else {
        free.await();
      }
    }
  }

  private void awaitPreferred() throws InterruptedException {
    waitingPreferred++;
    boolean woken = false;
    try {
      freeForPreferred.await();
      woken = true;
    } finally {
      waitingPreferred--;
      if (!woken) {
        signalNext(); // the signal of a waiter that is being interrupted would be lost
      }
    }
  }

  private boolean isFull() {
    return used >= (int) limit;
  }

  /**
   * Each waiter wakes the next one while there is room, because one completed write may have made
   * room for two.
   */
  private void signalNext() {
    if (!isFull()) {
      (waitingPreferred > 0 ? freeForPreferred : free).signal();
    }
  }

  private void exit() {
    used--;
    if (used == 0) {
      none.signalAll();
    }
  }

  /**
   * Waits until no write is running and no throttling pause is in effect, or until the time has
   * passed. Used by senders that yield to writes.
   *
   * @param nanos limit in nanoseconds of the system clock
   * @return whether no write is running
   */
  public boolean awaitNone(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (isInUse() && left > 0) {
        left = none.awaitNanos(left);
      }
      return !isInUse();
    } finally {
      lock.unlock();
    }
  }

  private boolean isInUse() {
    return used > 0 || everPaused && pausedUntil - time.nanos() > 0;
  }

  public void leave(long nanos) {
    lock.lock();
    try {
      boolean full = isFull();
      exit();
      long now = time.nanos();
      if (nanos < quickest || now - quickestSince > FORGET_QUICKEST_NANOS) {
        quickest = nanos;
        quickestSince = now;
      }
      boolean slow = nanos > 3 * quickest && nanos > 20_000_000;
      if (slow && now - lastReduction > 10 * quickest) {
        limit = Math.max(MIN, limit * 0.9);
        lastReduction = now;
        everReduced = true;
      } else if (full && !slow) {
        // until the server has shown its limit, the window doubles with each round trip
        limit = Math.min(MAX, limit + (everReduced ? 1 / limit : 1));
      }
      signalNext();
    } finally {
      lock.unlock();
    }
  }

  public void withdraw() {
    lock.lock();
    try {
      exit();
      signalNext();
    } finally {
      lock.unlock();
    }
  }

  public void throttled(Duration pause) {
    lock.lock();
    try {
      long now = time.nanos();
      if (now - lastReduction > 100_000_000) {
        limit = Math.max(MIN, limit / 2);
        everReduced = true;
        lastReduction = now;
      }
      long until = now + pause.toNanos();
      if (!everPaused || until - pausedUntil > 0) {
        pausedUntil = until;
        everPaused = true;
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
