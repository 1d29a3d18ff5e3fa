package dev.mooring.time;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Signal for real threads, with timeouts of a {@link Time}. */
final class LockSignal implements Time.Signal {
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raised = lock.newCondition();
  private long raises;

  LockSignal(Time time) {
    this.time = time;
  }

  @Override
  public void raise() {
    lock.lock();
    try {
      raises++;
      raised.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long raises() {
    lock.lock();
    try {
      return raises;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long end = time.nanos() + atMost.toNanos();
    Time.Cancellable alarm = () -> {};
    try {
      boolean alarmed = false;
      while (true) {
        long seen = raises(); // before the check, so that a later raise is not lost
        if (condition.getAsBoolean()) {
          return true;
        }
        long remaining = end - time.nanos();
        if (remaining <= 0) {
          return false;
        }
        if (!alarmed) {
          alarm = time.schedule(Duration.ofNanos(remaining), this::raise);
          alarmed = true;
        }
        awaitRaise(seen);
      }
    } finally {
      alarm.cancel();
    }
  }

  private void awaitRaise(long seen) throws InterruptedException {
    lock.lock();
    try {
      while (raises == seen) {
        raised.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
