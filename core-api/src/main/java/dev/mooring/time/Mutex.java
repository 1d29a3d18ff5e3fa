package dev.mooring.time;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Something that one thread at a time does, and that takes long: the others wait by the time's own
 * means, so that on simulated time they let others go on. Not reentrant. Thread-safe.
 */
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free;
  private boolean locked; // guarded by lock

  /** One that nobody has. */
  public Mutex(Time time) {
    this.free = time.condition(lock);
  }

  /**
   * Waits until nobody has it, and takes it; {@link #unlock} must follow.
   *
   * @throws InterruptedException if interrupted while waiting; then it is not locked
   */
  public void lock() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (locked) {
        free.await();
      }
      locked = true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives it up; whoever waits for it may take it. */
  public void unlock() {
    lock.lock();
    try {
      locked = false;
      free.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Whether somebody has it at this moment. */
  public boolean isLocked() {
    lock.lock();
    try {
      return locked;
    } finally {
      lock.unlock();
    }
  }
}
