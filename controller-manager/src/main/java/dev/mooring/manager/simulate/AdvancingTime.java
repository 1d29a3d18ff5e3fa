package dev.mooring.manager.simulate;

import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The system's time, which can also be moved forward: then timers become due early. */
final class AdvancingTime implements Time, AutoCloseable {
  private record Timer(long dueNanos, long order, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return dueNanos == other.dueNanos
          ? Long.compare(order, other.order)
          : Long.compare(dueNanos, other.dueNanos);
    }
  }

  private final SystemTime system = new SystemTime();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>(); // guarded by lock
  private long offsetNanos; // guarded by lock
  private long order; // guarded by lock
  private boolean isClosed; // guarded by lock

  AdvancingTime() {
    system.newThread("simulated-timers", this::runTimers).start();
  }

  void advance(Duration duration) {
    lock.lock();
    try {
      offsetNanos += duration.toNanos();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long offset() {
    lock.lock();
    try {
      return offsetNanos;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nanos() {
    return system.nanos() + offset();
  }

  @Override
  public Instant now() {
    return system.now().plusNanos(offset());
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (!duration.isPositive()) {
      return;
    }
    CountDownLatch due = new CountDownLatch(1);
    Cancellable timer = schedule(duration, due::countDown);
    try {
      due.await();
    } finally {
      timer.cancel();
    }
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    lock.lock();
    try {
      Timer timer = new Timer(nanos() + Math.max(0, delay.toNanos()), order++, task);
      timers.add(timer);
      changed.signalAll();
      return () -> cancel(timer);
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Timer timer) {
    lock.lock();
    try {
      timers.remove(timer);
    } finally {
      lock.unlock();
    }
  }

  private void runTimers() {
    try {
      while (true) {
        Runnable due = awaitDueTask();
        if (due == null) {
          return;
        }
        due.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Runnable awaitDueTask() throws InterruptedException {
    lock.lock();
    try {
      while (!isClosed) {
        Timer next = timers.peek();
        long remaining = next == null ? Long.MAX_VALUE : next.dueNanos() - nanos();
        if (next != null && remaining <= 0) {
          timers.remove();
          return next.task();
        }
        if (next == null) {
          changed.await();
        } else {
          remaining = changed.awaitNanos(remaining);
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    system.close();
  }
}
