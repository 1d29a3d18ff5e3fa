package dev.mooring.operation;

import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.workqueue.ReconcileContext;
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
 * Runs slow jobs on virtual threads, at most one per key. Thread-safe.
 *
 * <p>The end of a job requeues its key only if no watch event follows ({@link JobResult}), or if
 * another job was requested while it ran.
 *
 * <p>After a failure the key backs off: 500 ms doubling to 2 min 2 s, as in Kubernetes. The
 * back-off is at least as long as a full backend requested, and at most 15 s if the API server did
 * not answer. The key is requeued when its back-off ends, so callers need not poll.
 *
 * <p>A rejected job is not restarted for an hour, unless its basis changes.
 *
 * @param <K> subject of a job
 */
public final class KeyedOperations<K> implements SlowWork {
  private static final System.Logger LOG = System.getLogger(KeyedOperations.class.getName());

  private static final Duration INTERRUPT_WAIT = Duration.ofSeconds(5);

  public static final Duration LONGEST_BACKOFF = Duration.ofSeconds(122);

  private static final Duration QUIET_PERIOD = Duration.ofSeconds(1);

  /**
   * Period without a retry after a rejection. A retry may then succeed, because its cause may lie
   * outside the object.
   */
  public static final Duration REJECTION_RETRY_PERIOD = Duration.ofHours(1);

  private static final Duration STALE_AFTER = Duration.ofMinutes(10);

  private static final int MIN_SWEEP_THRESHOLD = 1024;

  public enum Start {
    STARTED,
    ALREADY_RUNNING,
    BACKING_OFF,
    /** A job with the same basis was rejected before. */
    REJECTED,
    CLOSED
  }

  @FunctionalInterface
  public interface Job {
    /**
     * Performs the work.
     *
     * @return result; a failure starts the key's back-off
     * @throws InterruptedException when the operations are closed
     */
    JobResult run() throws InterruptedException;
  }

  private final String name;
  private final Time time;
  private final Compat compat;
  private final Consumer<K> requeueKey;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition jobEnded;
  private final Map<K, OperationSlot> slots = new HashMap<>();
  private int runningJobs;
  private int sweepThreshold = MIN_SWEEP_THRESHOLD;
  private boolean closed;
  private int startedJobs; // jobs with a thread
  private boolean rejectsWaitingJobs;

  /**
   * Creates the operations without any job.
   *
   * @param name prefix of thread names and logs
   * @param compat whether rejected jobs are retried with back-off, as Kubernetes does
   * @param requeueKey requeues a key; must be quick
   */
  public KeyedOperations(String name, Time time, Compat compat, Consumer<K> requeueKey) {
    this.compat = compat;
    this.name = name;
    this.jobEnded = time.newCondition(lock);
    this.time = time;
    this.requeueKey = requeueKey;
  }

  // Basis of a job without one: requests no restart and equals no rejected basis.
  private static final class NoBasis {}

  /** Starts the job unless a job of the key is running or backing off. Never blocks. */
  public Start start(K key, Job job) {
    return start(key, new NoBasis(), job, Runnable::run);
  }

  /**
   * Starts the job unless a job of the key is running or backing off, or a job with the same basis
   * was rejected. If a job with another basis is running, the key is requeued when it ends.
   *
   * @param basis inputs of the job, compared with {@code equals}
   */
  public Start start(K key, Object basis, Job job) {
    return start(key, basis, job, Runnable::run);
  }

  /**
   * Starts a job that the scheduler may delay. A delayed job occupies no thread, but counts as
   * running.
   *
   * @param scheduler called once with a task that begins the job. The task must run once, now or
   *     later, on any thread. Must not block
   */
  public Start start(K key, Object basis, Job job, Consumer<Runnable> scheduler) {
    lock.lock();
    try {
      if (closed) {
        return Start.CLOSED;
      }
      removeStaleSlots();
      OperationSlot slot = slots.computeIfAbsent(key, k -> new OperationSlot());
      if (slot.isBusy) {
        slot.hasNewerRequest |= !(basis instanceof NoBasis) && !basis.equals(slot.basis);
        return Start.ALREADY_RUNNING;
      }
      if (slot.notBefore - time.nanos() > 0 && slot.failures > 0) {
        if (slot.rejectedBasis == null) {
          return Start.BACKING_OFF;
        }
        if (slot.rejectedBasis.equals(basis)) {
          return Start.REJECTED;
        }
      }
      runningJobs++;
      slot.isBusy = true;
      slot.basis = basis;
      slot.hasNewerRequest = false;
      slot.rejectedBasis = null;
    } finally {
      lock.unlock();
    }
    ReconcileContext.@Nullable ReconcileListener listener = ReconcileContext.current();
    scheduler.accept(() -> startThread(key, job, listener));
    return Start.STARTED;
  }

  private void removeStaleSlots() {
    if (slots.size() >= sweepThreshold) {
      long now = time.nanos();
      slots
          .values()
          .removeIf(slot -> !slot.isBusy && now - slot.notBefore - STALE_AFTER.toNanos() > 0);
      sweepThreshold = Math.max(MIN_SWEEP_THRESHOLD, 2 * slots.size());
    }
  }

  private void startThread(K key, Job job, ReconcileContext.@Nullable ReconcileListener listener) {
    lock.lock();
    try {
      if (rejectsWaitingJobs) { // closed before the scheduler ran the task
        runningJobs--;
        return;
      }
      // the job acts for the key whose reconcile started it
      Thread thread =
          time.newThread(
              name + " " + key,
              listener == null
                  ? () -> run(key, job)
                  : () ->
                      ReconcileContext.run(
                          listener,
                          () -> {
                            run(key, job);
                            return null;
                          }));
      slots.computeIfAbsent(key, k -> new OperationSlot()).thread = thread;
      startedJobs++;
      thread.start();
    } finally {
      lock.unlock();
    }
  }

  private void run(K key, Job job) {
    JobResult result = JobResult.unreachable("stopped");
    long startNanos = time.nanos();
    try {
      result = job.run();
    } catch (InterruptedException interrupt) {
      LOG.log(Level.DEBUG, () -> name + " " + key + " was stopped");
    } catch (RuntimeException | StackOverflowError bug) {
      LOG.log(Level.ERROR, () -> name + " " + key + " failed with a bug; retrying", bug);
      result = new JobResult.Failed(new Failure.Fault(bug.toString(), bug));
    } finally {
      recordAudit(result, Duration.ofNanos(time.nanos() - startNanos));
      finish(key, result);
    }
  }

  private void recordAudit(JobResult result, Duration duration) {
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    if (listener != null) {
      String problem =
          switch (result) {
            case JobResult.Failed(Failure failure) -> failure.message();
            case JobResult.Unanswered(String message) -> message;
            case JobResult.Done _, JobResult.Noted _ -> "";
          };
      listener.operationEnded(name, problem, duration);
    }
  }

  private void finish(K key, JobResult result) {
    boolean mustRequeue = result instanceof JobResult.Noted;
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      if (slot != null) {
        slot.isBusy = false;
        slot.thread = null;
        switch (result) {
          case JobResult.Done _, JobResult.Noted _ -> slots.remove(key);
          case JobResult.Failed _, JobResult.Unanswered _ when slot.isForgotten -> {
            slots.remove(key);
            mustRequeue = true;
          }
          case JobResult.Unanswered _ -> requeueAfter(key, slot, slot.countUnanswered());
          case JobResult.Failed(Failure failure) ->
              recordFailure(key, slot, Outcome.of(failure, compat));
        }
        mustRequeue |= slot.endBackoff(time.nanos());
        // during a back-off no other job starts either; its end requeues the key
        boolean canStart = !slots.containsKey(key) || slot.rejectedBasis != null;
        mustRequeue |= slot.hasNewerRequest && canStart;
      }
    } finally {
      lock.unlock();
    }
    if (mustRequeue) {
      requeueKey.accept(key);
    }
    countEnded();
  }

  /**
   * Counts the job as ended only now: a caller that sees no running job must not miss the key that
   * is about to be requeued.
   */
  private void countEnded() {
    lock.lock();
    try {
      runningJobs--;
      startedJobs--;
      jobEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void recordFailure(K key, OperationSlot slot, Outcome outcome) {
    slot.failures++;
    if (outcome instanceof Outcome.GiveUp) {
      slot.rejectedBasis = slot.basis;
      slot.notBefore = time.nanos() + REJECTION_RETRY_PERIOD.toNanos();
      return;
    }
    Duration delay = slot.backoff();
    if (outcome instanceof Outcome.Retry retry && retry.earliest().compareTo(delay) > 0) {
      delay = retry.earliest();
    }
    requeueAfter(key, slot, delay);
  }

  private void requeueAfter(K key, OperationSlot slot, Duration delay) {
    slot.notBefore = time.nanos() + delay.toNanos();
    if (!closed) {
      time.schedule(delay.plusMillis(1), () -> requeueKey.accept(key));
    }
  }

  public boolean isRunning(K key) {
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      return slot != null && slot.isBusy;
    } finally {
      lock.unlock();
    }
  }

  int keyCount() {
    lock.lock();
    try {
      return slots.size();
    } finally {
      lock.unlock();
    }
  }

  public int runningJobs() {
    lock.lock();
    try {
      return runningJobs;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether no job is running and no back-off ends within a second. */
  @Override
  public boolean isQuiet() {
    lock.lock();
    try {
      long now = time.nanos();
      return runningJobs == 0
          && slots.values().stream()
              .map(slot -> slot.failures > 0 ? slot.notBefore - now : 0)
              .noneMatch(remaining -> remaining > 0 && remaining < QUIET_PERIOD.toNanos());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes the back-off of a deleted object's key. A running job continues and leaves no back-off.
   */
  public void forget(K key) {
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      if (slot != null && slot.isBusy) {
        slot.isForgotten = true;
      } else {
        slots.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the back-off, because the cause of the failure has gone. Keeps the failure count. If a job
   * is running and fails, its key is requeued at once.
   */
  public void endBackoff(K key) {
    lock.lock();
    try {
      OperationSlot slot = slots.get(key);
      if (slot != null) {
        slot.isBackoffOver = true;
        slot.endBackoff(time.nanos());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Rejects new jobs and waits for running ones. Interrupts jobs that exceed the grace period and
   * waits a few seconds for their end.
   *
   * @return whether all jobs ended without an interrupt
   */
  @Override
  public boolean close(Duration grace) throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      boolean endedInTime = await(() -> runningJobs == 0, grace);
      rejectsWaitingJobs = true;
      slots.values().forEach(OperationSlot::interrupt);
      await(
          () -> startedJobs == 0,
          INTERRUPT_WAIT); // the next leader must not overlap with running jobs
      return endedInTime;
    } finally {
      lock.unlock();
    }
  }

  private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    for (long remaining = atMost.toNanos(); !condition.getAsBoolean() && remaining > 0; ) {
      remaining = jobEnded.awaitNanos(remaining);
    }
    return condition.getAsBoolean();
  }
}
