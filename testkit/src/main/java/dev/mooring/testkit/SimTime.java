package dev.mooring.testkit;

import dev.mooring.thread.ThreadSource;
import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Simulated time: it moves only when a test moves it. Timers run on the thread that calls {@link
 * #advance}, in the order of their due times.
 */
public final class SimTime implements Time {
  private record Timer(long due, long order, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return due != other.due ? Long.compare(due, other.due) : Long.compare(order, other.order);
    }
  }

  private final Instant epoch = Instant.parse("2026-01-01T00:00:00Z");
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final List<Duration> slept = new ArrayList<>();
  private final boolean sleepAdvances;
  private final ThreadSource threads;
  private final Set<Thread> working = ConcurrentHashMap.newKeySet();
  private long now;
  private long order;
  private Duration suspended = Duration.ZERO;

  /** Creates a time in which sleepers wait for {@link #advance}. */
  public SimTime() {
    this(false);
  }

  /**
   * @param sleepAdvances whether sleeping advances the time, for code on the test's own thread
   */
  public SimTime(boolean sleepAdvances) {
    this(sleepAdvances, ThreadSource.VIRTUAL);
  }

  public SimTime(ThreadSource threads) {
    this(false, threads);
  }

  private SimTime(boolean sleepAdvances, ThreadSource threads) {
    this.sleepAdvances = sleepAdvances;
    this.threads = threads;
  }

  @Override
  public Thread thread(String name, Runnable body) {
    Thread thread =
        threads.thread(
            name,
            () -> {
              try {
                body.run();
              } finally {
                working.remove(Thread.currentThread());
              }
            });
    working.add(thread); // counts as working from now on, although it may run later
    return thread;
  }

  /**
   * Returns true if a created thread neither ended nor sleeps, so that something may still happen
   * now.
   */
  public boolean isWorking() {
    return !working.isEmpty();
  }

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized Instant now() {
    return epoch.plusNanos(now).plus(suspended);
  }

  /**
   * Advances only the wall clock, as on a machine whose monotonic clock stops during suspension. No
   * timer becomes due. A negative span sets the wall clock back.
   */
  public synchronized void suspend(Duration span) {
    suspended = suspended.plus(span);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (!duration.isPositive()) {
      return;
    }
    synchronized (this) {
      slept.add(duration);
    }
    if (sleepAdvances) {
      advance(duration);
      return;
    }
    CountDownLatch over = new CountDownLatch(1);
    Thread sleeper = Thread.currentThread();
    boolean ours = working.remove(sleeper);
    Cancellable timer =
        schedule(
            duration,
            () -> {
              if (ours) {
                working.add(sleeper); // before it wakes, so that time does not advance past it
              }
              over.countDown();
            });
    try {
      over.await();
    } catch (InterruptedException stopped) {
      timer.cancel();
      if (ours) {
        working.add(sleeper);
      }
      throw stopped;
    }
  }

  public synchronized List<Duration> slept() {
    return List.copyOf(slept);
  }

  @Override
  public synchronized Cancellable schedule(Duration delay, Runnable task) {
    Timer timer = new Timer(now + Math.max(0, delay.toNanos()), order++, task);
    timers.add(timer);
    return () -> cancel(timer);
  }

  public synchronized int pending() {
    return timers.size();
  }

  private synchronized void cancel(Timer timer) {
    timers.remove(timer);
  }

  /** Advances the time and runs due timers, including those scheduled meanwhile within the span. */
  public void advance(Duration span) {
    long end;
    synchronized (this) {
      end = now + span.toNanos();
    }
    while (true) {
      Timer next;
      synchronized (this) {
        next = timers.peek();
        if (next == null || next.due > end) {
          now = end;
          return;
        }
        timers.poll();
        now = Math.max(now, next.due);
      }
      next.task.run();
    }
  }
}
