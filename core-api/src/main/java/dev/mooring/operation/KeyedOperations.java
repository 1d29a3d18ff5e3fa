package dev.mooring.operation;

import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs slow jobs, each on a virtual thread of its own, at most one per key. After a failure the key
 * may not start again before its back-off is over (Kubernetes' exponential operation back-off: 500
 * ms doubling to 2 min 2 s); when it is, {@code wake} is called, so nobody has to poll.
 * Thread-safe.
 *
 * @param <K> what a job is about
 */
public final class KeyedOperations<K> {
  private static final System.Logger LOG = System.getLogger(KeyedOperations.class.getName());
  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration CAP = Duration.ofSeconds(122);

  private static final Duration SOON = Duration.ofSeconds(1);

  /** Whether a job was started. */
  public enum Start {
    STARTED,
    ALREADY_RUNNING,
    BACKING_OFF,
    CLOSED
  }

  /** A job. */
  @FunctionalInterface
  public interface Job {
    /**
     * Does the work.
     *
     * @return whether it succeeded; a failure starts the key's back-off
     * @throws InterruptedException when the operations are closed
     */
    boolean run() throws InterruptedException;
  }

  private static final class Slot {
    boolean busy; // a job of it runs, or waits for its turn
    @Nullable Thread thread; // of a job that runs
    int failures;
    long notBefore;
  }

  private final String name;
  private final ThreadFactory threads;
  private final Time time;
  private final Consumer<K> wake;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Map<K, Slot> slots = new HashMap<>();
  private int running;
  private boolean closed;
  private boolean overdue;

  /**
   * No operations yet.
   *
   * @param name for thread names and logs
   * @param time clock and timer
   * @param wake called with a key when its job has ended or its back-off is over; must be quick
   */
  public KeyedOperations(String name, Time time, Consumer<K> wake) {
    this(name, time, wake, Thread.ofVirtual().factory());
  }

  /**
   * The same, on threads of that factory.
   *
   * @param threads makes a thread per job
   */
  public KeyedOperations(String name, Time time, Consumer<K> wake, ThreadFactory threads) {
    this.threads = threads;
    this.name = name;
    this.time = time;
    this.wake = wake;
  }

  /** Starts the job unless one of this key is running or backing off. Never blocks. */
  public Start start(K key, Job job) {
    return start(key, job, Runnable::run);
  }

  /**
   * The same for a job that has to wait its turn, which costs no thread meanwhile. It counts as
   * running.
   *
   * @param turn called once with what begins the job, to be called once, now or later, from any
   *     thread; must not block
   */
  public Start start(K key, Job job, Consumer<Runnable> turn) {
    lock.lock();
    try {
      if (closed) {
        return Start.CLOSED;
      }
      Slot slot = slots.computeIfAbsent(key, k -> new Slot());
      if (slot.busy) {
        return Start.ALREADY_RUNNING;
      }
      if (slot.failures > 0 && slot.notBefore - time.nanos() > 0) {
        return Start.BACKING_OFF;
      }
      running++;
      slot.busy = true;
    } finally {
      lock.unlock();
    }
    turn.accept(() -> begin(key, job));
    return Start.STARTED;
  }

  private void begin(K key, Job job) {
    lock.lock();
    try {
      Thread thread = threads.newThread(() -> run(key, job));
      thread.setName(name + " " + key);
      slots.computeIfAbsent(key, k -> new Slot()).thread = thread;
      thread.start();
      if (overdue) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run(K key, Job job) {
    boolean succeeded = false;
    try {
      succeeded = job.run();
    } catch (InterruptedException stopped) {
      LOG.log(Level.DEBUG, () -> name + " " + key + " was stopped");
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, () -> name + " " + key + " failed with a bug; it is tried again", bug);
    } finally {
      ended(key, succeeded);
    }
  }

  private void ended(K key, boolean succeeded) {
    lock.lock();
    try {
      Slot slot = slots.get(key);
      if (slot != null) {
        slot.busy = false;
        slot.thread = null;
        if (succeeded) {
          slots.remove(key);
        } else {
          Duration delay = delay(++slot.failures);
          slot.notBefore = time.nanos() + delay.toNanos();
          if (!closed) {
            time.schedule(delay.plusMillis(1), () -> wake.accept(key));
          }
        }
      }
      running--;
      if (running == 0) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (succeeded) {
      wake.accept(key);
    }
  }

  static Duration delay(int failures) {
    if (failures > 8) {
      return CAP;
    }
    Duration doubled = FIRST.multipliedBy(1L << (failures - 1));
    return doubled.compareTo(CAP) > 0 ? CAP : doubled;
  }

  /** Whether a job of this key is running. */
  public boolean isRunning(K key) {
    lock.lock();
    try {
      Slot slot = slots.get(key);
      return slot != null && slot.busy;
    } finally {
      lock.unlock();
    }
  }

  /** How many jobs run at this moment. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing runs at this moment, and no back-off ends within a second. */
  public boolean isQuiet() {
    lock.lock();
    try {
      long now = time.nanos();
      return running == 0
          && slots.values().stream()
              .map(slot -> slot.failures > 0 ? slot.notBefore - now : 0)
              .noneMatch(left -> left > 0 && left < SOON.toNanos());
    } finally {
      lock.unlock();
    }
  }

  /** Drops the back-off of a key whose object is gone. A running job goes on. */
  public void forget(K key) {
    lock.lock();
    try {
      Slot slot = slots.get(key);
      if (slot != null && !slot.busy) {
        slots.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts nothing any more, waits for what runs, and interrupts what is still running after the
   * grace.
   *
   * @return whether everything ended by itself
   */
  public boolean close(Duration grace) throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      long left = grace.toNanos();
      while (running > 0 && left > 0) {
        left = idle.awaitNanos(left);
      }
      boolean clean = running == 0;
      overdue = true;
      for (Slot slot : slots.values()) {
        if (slot.thread != null) {
          slot.thread.interrupt();
        }
      }
      return clean;
    } finally {
      lock.unlock();
    }
  }
}
