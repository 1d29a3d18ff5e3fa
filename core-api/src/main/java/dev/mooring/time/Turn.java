package dev.mooring.time;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Something that one thread at a time does, and that takes long: the others wait by the time's own
 * means, so that on simulated time they let others go on. Not reentrant. Thread-safe.
 */
public final class Turn {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free;
  private boolean taken; // guarded by lock

  /** A turn that nobody has. */
  public Turn(Time time) {
    this.free = time.condition(lock);
  }

  /**
   * Waits until nobody has the turn, and takes it; {@link #end} must follow.
   *
   * @throws InterruptedException if interrupted while waiting; then it is not taken
   */
  public void begin() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (taken) {
        free.await();
      }
      taken = true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the turn up; whoever waits for it may take it. */
  public void end() {
    lock.lock();
    try {
      taken = false;
      free.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Whether somebody has it at this moment. */
  public boolean isTaken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
