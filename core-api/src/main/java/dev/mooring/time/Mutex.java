package dev.mooring.time;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lock for long operations. Waiting threads block through {@link Time}, so that simulated time can
 * run other threads meanwhile. Not reentrant. Thread-safe.
 */
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition unlocked;
  private boolean locked; // guarded by lock

  public Mutex(Time time) {
    this.unlocked = time.newCondition(lock);
  }

  public void lock() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (locked) {
        unlocked.await();
      }
      locked = true;
    } finally {
      lock.unlock();
    }
  }

  public void unlock() {
    lock.lock();
    try {
      locked = false;
      unlocked.signal();
    } finally {
      lock.unlock();
    }
  }

  public boolean isLocked() {
    lock.lock();
    try {
      return locked;
    } finally {
      lock.unlock();
    }
  }
}
