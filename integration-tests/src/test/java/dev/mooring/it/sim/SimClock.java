package dev.mooring.it.sim;

import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Simulated clock, shared by all processes. It advances only when the schedule advances it. */
final class SimClock {
  private record Timer(long dueNanos, long order, Object process, Runnable task)
      implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return dueNanos != other.dueNanos
          ? Long.compare(dueNanos, other.dueNanos)
          : Long.compare(order, other.order);
    }
  }

  private final SimScheduler scheduler;
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private long now;
  private long order;

  SimClock(SimScheduler scheduler) {
    this.scheduler = scheduler;
  }

  long now() {
    return now;
  }

  Instant instant() {
    return Instant.parse("2026-01-01T00:00:00Z").plusNanos(now);
  }

  /** Returns the clock, timers and threads of one process. */
  Time forProcess(Object process) {
    return new Time() {
      @Override
      public long nanos() {
        return now;
      }

      @Override
      public Instant now() {
        return instant();
      }

      @Override
      public void sleep(Duration duration) throws InterruptedException {
        scheduler.await(() -> true, now + duration.toNanos(), SimClock.this::now);
      }

      @Override
      public Signal newSignal() {
        return new SimSignal();
      }

      @Override
      public Thread newThread(String name, Runnable body) {
        return scheduler.thread(name, process, body);
      }

      @Override
      public boolean join(Thread thread, Duration atMost) throws InterruptedException {
        long endNanos = now + atMost.toNanos();
        scheduler.await(() -> !scheduler.hasEnded(thread), endNanos, SimClock.this::now);
        return scheduler.hasEnded(thread);
      }

      @Override
      public Condition newCondition(ReentrantLock lock) {
        return new SimCondition(scheduler, SimClock.this::now, lock);
      }

      @Override
      public Cancellable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(now + Math.max(0, delay.toNanos()), order++, process, task);
        timers.add(timer);
        return () -> timers.remove(timer);
      }
    };
  }

  /**
   * Signal whose waiters run again at each {@link #raise()}. A missing call to raise leaves them
   * waiting, as in production.
   */
  private final class SimSignal implements Time.Signal {
    private long raised;

    @Override
    public void raise() {
      raised++;
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
      long endNanos = now + atMost.toNanos();
      while (!condition.getAsBoolean()) {
        if (now >= endNanos) {
          return false;
        }
        long raisedBefore = raised;
        scheduler.await(() -> raised == raisedBefore, endNanos, SimClock.this::now);
      }
      return true;
    }
  }

  /** Drops the timers of a process that has ended. */
  void dropTimers(Object process) {
    timers.removeIf(timer -> timer.process == process);
  }

  /** Returns the time of the next timer in nanoseconds; {@link Long#MAX_VALUE} for none. */
  long nextDue() {
    return timers.isEmpty() ? Long.MAX_VALUE : timers.peek().dueNanos;
  }

  /** Advances the clock and runs the timers that become due. */
  void advance(long nanos) {
    long endNanos = now + nanos;
    while (!timers.isEmpty() && timers.peek().dueNanos <= endNanos) {
      Timer timer = timers.poll();
      now = Math.max(now, timer.dueNanos);
      timer.task.run();
    }
    now = endNanos;
  }
}
