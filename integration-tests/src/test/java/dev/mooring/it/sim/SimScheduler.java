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
 * Threads of which one runs at a time, and which hand over at every point where the outside world
 * could come between. Who gets it next is the schedule's choice, so that a seed is a schedule.
 */
final class SimScheduler {
  /** Ends the threads of a process that has crashed. Not an Exception: nobody may survive it. */
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
    private volatile boolean interrupted; // while it waits to run
    private boolean over;
    private boolean killed;
    private @Nullable Thread thread;
    private BooleanSupplier waits = () -> false;
    private long waitsUntil = Long.MAX_VALUE;

    private Task(String name, Object process) {
      this.name = name;
      this.process = process;
    }

    /** The process that it belongs to. */
    Object process() {
      return process;
    }

    /** Called by the thread: until it is its turn. An interrupt is for whom it waits for. */
    private void awaitTurn() {
      while (!mayRun) {
        if (Thread.currentThread().isInterrupted()) {
          interrupted = true;
          Thread.interrupted(); // or it would not be parked any more
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

    /** Whether somebody has interrupted it. */
    private boolean isInterrupted() {
      return thread.isInterrupted() || interrupted; // in the order in which it is handed over
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

  /** A thread that takes part; it runs for the first time when it is chosen. */
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
      // as meant
    } catch (AssertionError | RuntimeException e) {
      failure = e; // of the schedule, not only of this thread
    } finally {
      task.over = true;
      back.release();
    }
  }

  /** Called by a thread: lets others come between. */
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

  /**
   * Called by a thread: lets others come between until it need not wait any longer, or the time has
   * come.
   */
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
   * The same, by a thread that can be interrupted meanwhile.
   *
   * @throws InterruptedException if it is, or was before
   */
  void await(BooleanSupplier waits, long until, LongSupplier now) throws InterruptedException {
    if (waits.getAsBoolean() && now.getAsLong() < until) {
      pointUnlessInterrupted(waits, until, now);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Lets others come between as above; it ends when somebody interrupts the thread, or has. */
  void pointUnlessInterrupted(BooleanSupplier waits, long until, LongSupplier now) {
    Task self = running;
    if (!Thread.currentThread().isInterrupted()) {
      pointWhile(() -> waits.getAsBoolean() && !self.isInterrupted(), until, now);
    }
  }

  /** The names of the threads of a process that have not ended. */
  List<String> running(Object process) {
    return of(process).stream().map(Task::toString).toList();
  }

  /** Whether a thread has ended. */
  boolean isOver(Thread thread) {
    return tasks.stream().noneMatch(task -> task.thread == thread && !task.over);
  }

  /** The threads that could go on, in a fixed order. */
  List<Task> ready() {
    tasks.removeIf(task -> task.over);
    return tasks.stream().filter(task -> !task.waits.getAsBoolean()).toList();
  }

  /** When the next sleeper wakes; the largest number if nobody sleeps. */
  long nextWake(long now) {
    return tasks.stream()
        .filter(task -> !task.over && task.waits.getAsBoolean())
        .mapToLong(task -> task.waitsUntil)
        .filter(wake -> wake > now)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * Lets one of those that could go on run until it hands over.
   *
   * @return false if there is none
   */
  boolean resumeAny(Random random) {
    List<Task> ready = ready();
    if (ready.isEmpty()) {
      return false;
    }
    resume(ready.get(random.nextInt(ready.size())));
    return true;
  }

  /** Lets one run until it hands over. */
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

  /** Ends every thread of a process where it stands, and those that they begin while they end. */
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
