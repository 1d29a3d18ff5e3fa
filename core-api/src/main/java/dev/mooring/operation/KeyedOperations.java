package dev.mooring.operation;

import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.workqueue.OwnDoing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs slow jobs, each on a virtual thread of its own, at most one per key. The end of a job is a
 * fact: its key is looked at because of it only where no informer tells of it ({@link Completion}).
 * After a failure the key may not start again before its back-off is over (Kubernetes' exponential
 * operation back-off: 500 ms doubling to 2 min 2 s, or what a full backend asked for; to 15 s where
 * it was the server that did not answer); when it is, {@code wake} is called, so nobody has to
 * poll. So it is when a job has ended during which another one was wanted. What was refused is not
 * begun again as long as it rests on the same, or an hour is over. Thread-safe.
 *
 * @param <K> what a job is about
 */
public final class KeyedOperations<K> implements SlowWork {
  private static final System.Logger LOG = System.getLogger(KeyedOperations.class.getName());

  /** So long what was interrupted is waited for. */
  private static final Duration ENDING = Duration.ofSeconds(5);

  /** The longest pause before what failed is tried again. */
  public static final Duration LONGEST_PAUSE = Duration.ofSeconds(122);

  private static final Duration SOON = Duration.ofSeconds(1);

  /** What was refused may have been made possible by something that is no part of the object. */
  public static final Duration REFUSAL_HOLDS = Duration.ofHours(1);

  /** Back-offs that ended so long ago are of keys that nobody asks for any more. */
  private static final Duration STALE = Duration.ofMinutes(10);

  private static final int SWEEP_FROM = 1024;

  /** Whether a job was started. */
  public enum Start {
    STARTED,
    ALREADY_RUNNING,
    BACKING_OFF,
    /** The same was refused before. */
    REFUSED,
    CLOSED
  }

  /** A job. */
  @FunctionalInterface
  public interface Job {
    /**
     * Does the work.
     *
     * @return how it ended; a failure starts the key's back-off
     * @throws InterruptedException when the operations are closed
     */
    Completion run() throws InterruptedException;
  }

  private final String name;
  private final Time time;
  private final Compat compat;
  private final Consumer<K> wake;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ends;
  private final Map<K, OperationSlot> slots = new HashMap<>();
  private int running;
  private int sweepAt = SWEEP_FROM;
  private boolean closed;
  private int threads; // of those that run, without those that wait for their turn
  private boolean overdue;

  /**
   * No operations yet.
   *
   * @param name for thread names and logs
   * @param time clock, timer and threads
   * @param compat whether what was refused is tried again like everything else
   * @param wake called with a key when its job ended with something to be looked at, or its
   *     back-off is over; must be quick
   */
  public KeyedOperations(String name, Time time, Compat compat, Consumer<K> wake) {
    this.compat = compat;
    this.name = name;
    this.ends = time.condition(lock);
    this.time = time;
    this.wake = wake;
  }

  /** Of a job of which nobody says what it rests on: it overtakes none, and was never refused. */
  private static final class Unsaid {}

  /** Starts the job unless one of this key is running or backing off. Never blocks. */
  public Start start(K key, Job job) {
    return start(key, new Unsaid(), job, Runnable::run);
  }

  /**
   * The same, unless the same was refused before. If one with another basis is running, the key is
   * woken when that has ended.
   *
   * @param basis what the job rests on, with {@code equals}: with another one it is another job
   */
  public Start start(K key, Object basis, Job job) {
    return start(key, basis, job, Runnable::run);
  }

  /**
   * The same for a job that has to wait its turn, which costs no thread meanwhile. It counts as
   * running.
   *
   * @param turn called once with what begins the job, to be called once, now or later, from any
   *     thread; must not block
   */
  public Start start(K key, Object basis, Job job, Consumer<Runnable> turn) {
    lock.lock();
    try {
      if (closed) {
        return Start.CLOSED;
      }
      sweep();
      OperationSlot slot = slots.computeIfAbsent(key, k -> new OperationSlot());
      if (slot.busy) {
        slot.overtaken |= !(basis instanceof Unsaid) && !basis.equals(slot.basis);
        return Start.ALREADY_RUNNING;
      }
      if (slot.notBefore - time.nanos() > 0 && slot.failures > 0) {
        if (slot.refused == null) {
          return Start.BACKING_OFF;
        }
        if (slot.refused.equals(basis)) {
          return Start.REFUSED;
        }
      }
      running++;
      slot.busy = true;
      slot.basis = basis;
      slot.overtaken = false;
      slot.refused = null;
    } finally {
      lock.unlock();
    }
    OwnDoing.@Nullable Activity activity = OwnDoing.current();
    turn.accept(() -> begin(key, job, activity));
    return Start.STARTED;
  }

  /** Drops what is of no use to anybody any more, so that keys that are gone cost nothing. */
  private void sweep() {
    if (slots.size() >= sweepAt) {
      long now = time.nanos();
      slots.values().removeIf(slot -> !slot.busy && now - slot.notBefore - STALE.toNanos() > 0);
      sweepAt = Math.max(SWEEP_FROM, 2 * slots.size());
    }
  }

  private void begin(K key, Job job, OwnDoing.@Nullable Activity activity) {
    lock.lock();
    try {
      if (overdue) { // its turn has come when all was over
        running--;
        return;
      }
      // what the job does is done for the key whose pass began it
      Thread thread =
          time.thread(
              name + " " + key,
              activity == null
                  ? () -> run(key, job)
                  : () ->
                      OwnDoing.as(
                          activity,
                          () -> {
                            run(key, job);
                            return null;
                          }));
      slots.computeIfAbsent(key, k -> new OperationSlot()).thread = thread;
      threads++;
      thread.start();
    } finally {
      lock.unlock();
    }
  }

  private void run(K key, Job job) {
    Completion end = Completion.unreachable("stopped");
    long began = time.nanos();
    try {
      end = job.run();
    } catch (InterruptedException stopped) {
      LOG.log(Level.DEBUG, () -> name + " " + key + " was stopped");
    } catch (RuntimeException | StackOverflowError bug) {
      LOG.log(Level.ERROR, () -> name + " " + key + " failed with a bug; it is tried again", bug);
      end = new Completion.Failed(new Failure.Fault(bug.toString(), bug));
    } finally {
      note(end, Duration.ofNanos(time.nanos() - began));
      ended(key, end);
    }
  }

  private void note(Completion end, Duration took) {
    OwnDoing.Activity activity = OwnDoing.current();
    if (activity != null) {
      String problem =
          switch (end) {
            case Completion.Failed(Failure why) -> why.message();
            case Completion.Unanswered(String why) -> why;
            case Completion.Done _, Completion.Noted _ -> "";
          };
      activity.ended(name, problem, took);
    }
  }

  private void ended(K key, Completion end) {
    boolean again = end instanceof Completion.Noted;
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      if (slot != null) {
        slot.busy = false;
        slot.thread = null;
        switch (end) {
          case Completion.Done _, Completion.Noted _ -> slots.remove(key);
          case Completion.Failed _, Completion.Unanswered _ when slot.forgotten -> {
            slots.remove(key);
            again = true;
          }
          case Completion.Unanswered _ -> again(key, slot, slot.unanswered());
          case Completion.Failed(Failure why) -> failed(key, slot, Outcome.of(why, compat));
        }
        again |= slot.endPause(time.nanos());
        // while it backs off no other is begun either, and afterwards it is woken
        boolean free = !slots.containsKey(key) || slot.refused != null;
        again |= slot.overtaken && free;
      }
    } finally {
      lock.unlock();
    }
    if (again) {
      wake.accept(key);
    }
    over();
  }

  /**
   * Only now: somebody who saw that nothing runs would take a key still to be woken for at rest.
   */
  private void over() {
    lock.lock();
    try {
      running--;
      threads--;
      ends.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void failed(K key, OperationSlot slot, Outcome outcome) {
    slot.failures++;
    if (outcome instanceof Outcome.GiveUp) {
      slot.refused = slot.basis;
      slot.notBefore = time.nanos() + REFUSAL_HOLDS.toNanos();
      return;
    }
    Duration delay = slot.delay();
    if (outcome instanceof Outcome.Retry retry && retry.earliest().compareTo(delay) > 0) {
      delay = retry.earliest();
    }
    again(key, slot, delay);
  }

  private void again(K key, OperationSlot slot, Duration delay) {
    slot.notBefore = time.nanos() + delay.toNanos();
    if (!closed) {
      time.schedule(delay.plusMillis(1), () -> wake.accept(key));
    }
  }

  /** Whether a job of this key is running. */
  public boolean isRunning(K key) {
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      return slot != null && slot.busy;
    } finally {
      lock.unlock();
    }
  }

  /** How many keys cost memory at this moment. */
  int keys() {
    lock.lock();
    try {
      return slots.size();
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
  @Override
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

  /** Drops the back-off of a key whose object is gone. A running job goes on, and leaves none. */
  public void forget(K key) {
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      if (slot != null && slot.busy) {
        slot.forgotten = true;
      } else {
        slots.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * What the key's last job failed for, or the one that runs may fail for, is over: the next may
   * begin at once, and failures count on. One that runs wakes the key when it has failed.
   */
  public void endPause(K key) {
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      if (slot != null) {
        slot.pauseIsOver = true;
        slot.endPause(time.nanos());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts nothing any more, waits for what runs, and interrupts what still does after the grace;
   * for that it waits too, a few seconds at the most.
   *
   * @return whether everything ended by itself
   */
  @Override
  public boolean close(Duration grace) throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      boolean clean = await(() -> running == 0, grace);
      overdue = true;
      slots.values().forEach(OperationSlot::interrupt);
      await(() -> threads == 0, ENDING); // whoever takes over is to be alone
      return clean;
    } finally {
      lock.unlock();
    }
  }

  private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    for (long left = atMost.toNanos(); !condition.getAsBoolean() && left > 0; ) {
      left = ends.awaitNanos(left);
    }
    return condition.getAsBoolean();
  }
}
