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
  private record Timer(long dueNanos, long order, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return dueNanos != other.dueNanos
          ? Long.compare(dueNanos, other.dueNanos)
          : Long.compare(order, other.order);
    }
  }

  private final Instant epoch = Instant.parse("2026-01-01T00:00:00Z");
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final List<Duration> sleeps = new ArrayList<>();
  private final boolean sleepAdvances;
  private final ThreadSource threadSource;
  private final Set<Thread> workingThreads = ConcurrentHashMap.newKeySet();
  private long now;
  private long order;
  private Duration suspension = Duration.ZERO;

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

  public SimTime(ThreadSource threadSource) {
    this(false, threadSource);
  }

  private SimTime(boolean sleepAdvances, ThreadSource threadSource) {
    this.sleepAdvances = sleepAdvances;
    this.threadSource = threadSource;
  }

  @Override
  public Thread newThread(String name, Runnable body) {
    Thread thread =
        threadSource.newThread(
            name,
            () -> {
              try {
                body.run();
              } finally {
                workingThreads.remove(Thread.currentThread());
              }
            });
    workingThreads.add(thread); // counts as working from now on, although it may run later
    return thread;
  }

  /**
   * Returns true if a created thread neither ended nor sleeps, so that something may still happen
   * now.
   */
  public boolean isWorking() {
    return !workingThreads.isEmpty();
  }

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized Instant now() {
    return epoch.plusNanos(now).plus(suspension);
  }

  /**
   * Advances only the wall clock, as on a machine whose monotonic clock stops during suspension. No
   * timer becomes due. A negative span sets the wall clock back.
   */
  public synchronized void suspend(Duration span) {
    suspension = suspension.plus(span);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (!duration.isPositive()) {
      return;
    }
    synchronized (this) {
      sleeps.add(duration);
    }
    if (sleepAdvances) {
      advance(duration);
      return;
    }
    CountDownLatch wakeUp = new CountDownLatch(1);
    Thread thread = Thread.currentThread();
    boolean isTracked = workingThreads.remove(thread);
    Cancellable timer =
        schedule(
            duration,
            () -> {
              if (isTracked) {
                workingThreads.add(
                    thread); // before it wakes, so that time does not advance past it
              }
              wakeUp.countDown();
            });
    try {
      wakeUp.await();
    } catch (InterruptedException stopped) {
      timer.cancel();
      if (isTracked) {
        workingThreads.add(thread);
      }
      throw stopped;
    }
  }

  public synchronized List<Duration> sleeps() {
    return List.copyOf(sleeps);
  }

  @Override
  public synchronized Cancellable schedule(Duration delay, Runnable task) {
    Timer timer = new Timer(now + Math.max(0, delay.toNanos()), order++, task);
    timers.add(timer);
    return () -> cancel(timer);
  }

  public synchronized int pendingTimers() {
    return timers.size();
  }

  private synchronized void cancel(Timer timer) {
    timers.remove(timer);
  }

  /** Advances the time and runs due timers, including those scheduled meanwhile within the span. */
  public void advance(Duration span) {
    long targetNanos;
    synchronized (this) {
      targetNanos = now + span.toNanos();
    }
    while (true) {
      Timer timer;
      synchronized (this) {
        timer = timers.peek();
        if (timer == null || timer.dueNanos > targetNanos) {
          now = targetNanos;
          return;
        }
        timers.poll();
        now = Math.max(now, timer.dueNanos);
      }
      timer.task.run();
    }
  }
}
