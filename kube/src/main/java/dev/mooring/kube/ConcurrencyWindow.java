package dev.mooring.kube;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many writes may be under way at once. Grows by one for every window's worth of quick answers
 * while it is full; halves when the server asks for patience, and shrinks by a tenth when answers
 * take more than thrice as long as the quickest of late. Tells when there are none, to whom writes
 * go before. Thread-safe.
 */
public final class ConcurrencyWindow {
  /** Small: a process that has just begun is slow, and what it begins at once ends at once. */
  private static final int FIRST = 8;

  private static final int LEAST = 2;
  private static final int MOST = 256;
  private static final long FORGET_QUICKEST_NANOS = Duration.ofSeconds(30).toNanos();

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free = lock.newCondition();
  private final Condition freeForFirst = lock.newCondition();
  private final Condition none = lock.newCondition();
  private int waitingFirst;
  private double limit = FIRST;
  private int used;
  private long quickest = Long.MAX_VALUE;
  private long quickestSince;
  private long lastCut;
  private long pausedUntil;
  private boolean everPaused;
  private boolean everCut;

  public ConcurrencyWindow(Time time) {
    this.time = time;
    this.lastCut = time.nanos();
    this.quickestSince = time.nanos();
  }

  /**
   * Waits for room.
   *
   * @param first whether before those who are not so
   */
  public void enter(boolean first) throws InterruptedException {
    while (true) {
      long pause;
      lock.lockInterruptibly();
      try {
        pause = everPaused ? pausedUntil - time.nanos() : 0;
        if (pause <= 0) {
          awaitRoom(first);
          used++;
          passOn();
          return;
        }
      } finally {
        lock.unlock();
      }
      time.sleep(Duration.ofNanos(pause));
    }
  }

  private void awaitRoom(boolean first) throws InterruptedException {
    while (isFull() || !first && waitingFirst > 0) {
      if (first) {
        awaitFirst();
      } else {
        free.await();
      }
    }
  }

  private void awaitFirst() throws InterruptedException {
    waitingFirst++;
    boolean woken = false;
    try {
      freeForFirst.await();
      woken = true;
    } finally {
      waitingFirst--;
      if (!woken) {
        passOn(); // somebody may have been told to wake us, who would have woken another
      }
    }
  }

  private boolean isFull() {
    return used >= (int) limit;
  }

  /** Each wakes the next while there is room: one end of a write may have made room for two. */
  private void passOn() {
    if (!isFull()) {
      (waitingFirst > 0 ? freeForFirst : free).signal();
    }
  }

  private void goOut() {
    used--;
    if (used == 0) {
      none.signalAll();
    }
  }

  /**
   * Waits until no write is under way, or waits because the server asked for patience, or for so
   * long, in nanoseconds of this machine's clock: for whoever has something to send that writes
   * need not wait behind.
   *
   * @return whether none is
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

  /** A write is over, after so long. */
  public void leave(long nanos) {
    lock.lock();
    try {
      boolean full = isFull();
      goOut();
      long now = time.nanos();
      if (nanos < quickest || now - quickestSince > FORGET_QUICKEST_NANOS) {
        quickest = nanos;
        quickestSince = now;
      }
      boolean slow = nanos > 3 * quickest && nanos > 20_000_000;
      if (slow && now - lastCut > 10 * quickest) {
        limit = Math.max(LEAST, limit * 0.9);
        lastCut = now;
        everCut = true;
      } else if (full && !slow) {
        // until the server has shown where its limit is, double with every round trip
        limit = Math.min(MOST, limit + (everCut ? 1 / limit : 1));
      }
      passOn();
    } finally {
      lock.unlock();
    }
  }

  /** What was entered for did not happen. */
  public void withdraw() {
    lock.lock();
    try {
      goOut();
      passOn();
    } finally {
      lock.unlock();
    }
  }

  /** The server asked for patience: fewer at once, and none before the pause is over. */
  public void throttled(Duration pause) {
    lock.lock();
    try {
      long now = time.nanos();
      if (now - lastCut > 100_000_000) {
        limit = Math.max(LEAST, limit / 2);
        everCut = true;
        lastCut = now;
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

  /** How many may be under way at once just now. */
  public int limit() {
    lock.lock();
    try {
      return (int) limit;
    } finally {
      lock.unlock();
    }
  }
}
