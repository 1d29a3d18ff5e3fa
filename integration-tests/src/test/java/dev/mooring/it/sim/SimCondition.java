package dev.mooring.it.sim;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A condition whose waiters are threads of the schedule; one signal wakes whoever came first. */
final class SimCondition implements Condition {
  private final SimScheduler scheduler;
  private final LongSupplier now;
  private final ReentrantLock lock;
  private long waiters; // that ever came
  private long woken; // of these, those that came first

  SimCondition(SimScheduler scheduler, LongSupplier now, ReentrantLock lock) {
    this.scheduler = scheduler;
    this.now = now;
    this.lock = lock;
  }

  @Override
  public void await() {
    awaitUntil(Long.MAX_VALUE);
  }

  @Override
  public void awaitUninterruptibly() {
    awaitUntil(Long.MAX_VALUE);
  }

  @Override
  public long awaitNanos(long nanos) {
    long end = now.getAsLong() + nanos;
    awaitUntil(end);
    return end - now.getAsLong();
  }

  @Override
  public boolean await(long time, TimeUnit unit) {
    return awaitNanos(unit.toNanos(time)) > 0;
  }

  @Override
  public boolean awaitUntil(Date deadline) {
    throw new UnsupportedOperationException("nobody waits for a date");
  }

  private void awaitUntil(long end) {
    long self = waiters++;
    lock.unlock();
    try {
      scheduler.pointWhile(() -> self >= woken, end, now);
    } finally {
      lock.lock();
    }
  }

  @Override
  public void signal() {
    woken = Math.min(woken + 1, waiters);
  }

  @Override
  public void signalAll() {
    woken = waiters;
  }
}
