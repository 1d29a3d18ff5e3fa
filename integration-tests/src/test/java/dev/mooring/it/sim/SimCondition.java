package dev.mooring.it.sim;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Condition whose waiters are threads of the simulation. A signal wakes the longest waiter. */
final class SimCondition implements Condition {
  private final SimScheduler scheduler;
  private final LongSupplier now;
  private final ReentrantLock lock;
  private long waiters; // number of all waiters so far
  private long woken; // number of waiters woken, in the order of their arrival

  SimCondition(SimScheduler scheduler, LongSupplier now, ReentrantLock lock) {
    this.scheduler = scheduler;
    this.now = now;
    this.lock = lock;
  }

  @Override
  public void await() throws InterruptedException {
    awaitNanos(Long.MAX_VALUE - now.getAsLong());
  }

  @Override
  public void awaitUninterruptibly() {
    long self = waiters++;
    lock.unlock();
    try {
      scheduler.yieldWhile(() -> self >= woken, Long.MAX_VALUE, now);
    } finally {
      lock.lock();
    }
  }

  @Override
  public long awaitNanos(long nanos) throws InterruptedException {
    long endNanos = now.getAsLong() + nanos;
    long self = waiters++;
    lock.unlock();
    try {
      scheduler.await(() -> self >= woken, endNanos, now);
    } finally {
      lock.lock();
    }
    return endNanos - now.getAsLong();
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return awaitNanos(unit.toNanos(time)) > 0;
  }

  @Override
  public boolean awaitUntil(Date deadline) {
    throw new UnsupportedOperationException("no code waits for a date");
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
