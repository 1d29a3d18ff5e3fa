package dev.mooring.it.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one thread at a time. At every point where other actors could act, the thread hands over,
 * and the schedule chooses the next thread, so that a seed determines the schedule.
 */
final class SimScheduler {
  /** Ends the threads of a crashed process. An Error, so that no handler catches it. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crashed", null, false, false);
    }
  }

  /** One thread. */
  static final class Task {
    private final String name;
    private final Object process;
    private volatile boolean mayRun;
    private volatile boolean interrupted; // while it waits for its turn
    private boolean over;
    private boolean killed;
    private @Nullable Thread thread;
    private BooleanSupplier waits = () -> false;
    private long waitsUntil = Long.MAX_VALUE;

    private Task(String name, Object process) {
      this.name = name;
      this.process = process;
    }

    /** Returns the process of the thread. */
    Object process() {
      return process;
    }

    /** Blocks until the thread's turn. An interrupt is for what the thread waits for. */
    private void awaitTurn() {
      while (!mayRun) {
        if (Thread.currentThread().isInterrupted()) {
          interrupted = true;
          Thread.interrupted(); // else it could not park again
        }
        LockSupport.park(this);
      }
      mayRun = false;
      if (interrupted) {
        interrupted = false;
        Thread.currentThread().interrupt();
      }
    }

    private void run() {
      mayRun = true;
      LockSupport.unpark(thread);
    }

    /** Returns whether the thread was interrupted. */
    private boolean isInterrupted() {
      return thread.isInterrupted() || interrupted; // in the order of the handover
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final Semaphore back = new Semaphore(0);
  private final List<Task> tasks = new ArrayList<>();
  private Task running;
  private volatile @Nullable Throwable failure;

  /** Creates a thread, which runs for the first time when the schedule chooses it. */
  Thread thread(String name, Object process, Runnable body) {
    Task task = new Task(name, process);
    tasks.add(task);
    Thread thread = Thread.ofVirtual().unstarted(() -> run(task, body));
    task.thread = thread;
    return thread;
  }

  private void run(Task task, Runnable body) {
    try {
      task.awaitTurn();
      if (!task.killed) {
        body.run();
      }
    } catch (Crash crashed) {
      // as intended
    } catch (AssertionError | RuntimeException e) {
      failure = e; // fails the schedule, not only this thread
    } finally {
      task.over = true;
      back.release();
    }
  }

  /** Hands over; called by a thread. */
  void point() {
    Task self = running;
    if (self == null) {
      return; // the schedule itself
    }
    back.release();
    self.awaitTurn();
    if (self.killed) {
      throw new Crash();
    }
  }

  /** Hands over until the condition ends or the time has come; called by a thread. */
  void pointWhile(BooleanSupplier waits, long until, LongSupplier now) {
    Task self = running;
    if (self == null) {
      throw new IllegalStateException("the schedule itself cannot wait");
    }
    self.waits = () -> waits.getAsBoolean() && now.getAsLong() < until;
    self.waitsUntil = until;
    try {
      point();
    } finally {
      self.waits = () -> false;
      self.waitsUntil = Long.MAX_VALUE;
    }
  }

  /**
   * The same for a thread that may be interrupted.
   *
   * @throws InterruptedException if the thread is interrupted, or was before
   */
  void await(BooleanSupplier waits, long until, LongSupplier now) throws InterruptedException {
    if (waits.getAsBoolean() && now.getAsLong() < until) {
      pointUnlessInterrupted(waits, until, now);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Hands over as above; ends when the thread is interrupted, or was before. */
  void pointUnlessInterrupted(BooleanSupplier waits, long until, LongSupplier now) {
    Task self = running;
    if (!Thread.currentThread().isInterrupted()) {
      pointWhile(() -> waits.getAsBoolean() && !self.isInterrupted(), until, now);
    }
  }

  /** Returns the names of the threads of a process that have not ended. */
  List<String> running(Object process) {
    return of(process).stream().map(Task::toString).toList();
  }

  /** Returns whether a thread has ended. */
  boolean isOver(Thread thread) {
    return tasks.stream().noneMatch(task -> task.thread == thread && !task.over);
  }

  /** Returns the threads that can run, in a fixed order. */
  List<Task> ready() {
    tasks.removeIf(task -> task.over);
    return tasks.stream().filter(task -> !task.waits.getAsBoolean()).toList();
  }

  /** Returns when the next sleeping thread wakes; the largest number if none sleeps. */
  long nextWake(long now) {
    return tasks.stream()
        .filter(task -> !task.over && task.waits.getAsBoolean())
        .mapToLong(task -> task.waitsUntil)
        .filter(wake -> wake > now)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * Resumes a random thread until it hands over.
   *
   * @return false if no thread can run
   */
  boolean resumeAny(Random random) {
    List<Task> ready = ready();
    if (ready.isEmpty()) {
      return false;
    }
    resume(ready.get(random.nextInt(ready.size())));
    return true;
  }

  /** Resumes a thread until it hands over. */
  void resume(Task task) {
    running = task;
    task.run();
    back.acquireUninterruptibly();
    running = null;
    Throwable failed = failure;
    if (failed != null) {
      throw new AssertionError(failed.getMessage(), failed);
    }
  }

  /** Ends every thread of a process, and those that they start while they end. */
  void kill(Object process) {
    int rounds = 0;
    for (List<Task> left = of(process); !left.isEmpty(); left = of(process)) {
      FinalState.verify(rounds++ < 1_000, "a killed process does not end: " + left);
      for (Task task : left) {
        task.killed = true;
        resume(task);
      }
    }
    tasks.removeIf(task -> task.over);
  }

  private List<Task> of(Object process) {
    return tasks.stream().filter(task -> task.process == process && !task.over).toList();
  }
}
