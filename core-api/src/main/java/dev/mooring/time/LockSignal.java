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
  private long raiseCount;

  LockSignal(Time time) {
    this.time = time;
  }

  @Override
  public void raise() {
    lock.lock();
    try {
      raiseCount++;
      raised.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long raiseCount() {
    lock.lock();
    try {
      return raiseCount;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long deadline = time.nanos() + atMost.toNanos();
    Time.Cancellable timeout = () -> {};
    try {
      boolean isTimeoutScheduled = false;
      while (true) {
        long raisesBefore = raiseCount(); // before the check, so that a later raise is not lost
        if (condition.getAsBoolean()) {
          return true;
        }
        long remaining = deadline - time.nanos();
        if (remaining <= 0) {
          return false;
        }
        if (!isTimeoutScheduled) {
          timeout = time.schedule(Duration.ofNanos(remaining), this::raise);
          isTimeoutScheduled = true;
        }
        awaitRaise(raisesBefore);
      }
    } finally {
      timeout.cancel();
    }
  }

  private void awaitRaise(long raisesBefore) throws InterruptedException {
    lock.lock();
    try {
      while (raiseCount == raisesBefore) {
        raised.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
