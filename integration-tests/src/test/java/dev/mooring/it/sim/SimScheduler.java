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
 * Scheduler that runs one thread at a time. A thread hands over at every point at which another
 * could act in production. The schedule's random numbers choose the next thread, so that a seed
 * determines the order.
 */
final class SimScheduler {
  /**
   * Ends the threads of a killed process. It is an Error so that no handler of exceptions catches
   * it.
   */
  static final class ProcessKilled extends Error {
    private static final long serialVersionUID = 1L;

    ProcessKilled() {
      super("crashed", null, false, false);
    }
  }

  static final class SimThread {
    private final String name;
    private final Object process;
    private volatile boolean mayRun;
    private volatile boolean interrupted; // while it waited for its turn
    private boolean isOver;
    private boolean killed;
    private @Nullable Thread thread;
    private BooleanSupplier waitCondition = () -> false;
    private long waitsUntil = Long.MAX_VALUE;

    private SimThread(String name, Object process) {
      this.name = name;
      this.process = process;
    }

    Object process() {
      return process;
    }

    /**
     * Blocks the calling thread until it is chosen. An interrupt meanwhile is kept for the code
     * that runs next.
     */
    private void awaitTurn() {
      while (!mayRun) {
        if (Thread.currentThread().isInterrupted()) {
          interrupted = true;
          Thread.interrupted(); // an interrupted thread does not park
        }
        LockSupport.park(this);
      }
      mayRun = false;
      if (interrupted) {
        interrupted = false;
        Thread.currentThread().interrupt();
      }
    }

    private void giveTurn() {
      mayRun = true;
      LockSupport.unpark(thread);
    }

    private boolean isInterrupted() {
      // in the order in which awaitTurn() moves the flag
      return thread.isInterrupted() || interrupted;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final Semaphore handedOver = new Semaphore(0);
  private final List<SimThread> tasks = new ArrayList<>();
  private SimThread running;
  private volatile @Nullable Throwable failure;

  /** Creates a thread of the simulation; it first runs when it is chosen. */
  Thread thread(String name, Object process, Runnable body) {
    SimThread task = new SimThread(name, process);
    tasks.add(task);
    Thread thread = Thread.ofVirtual().unstarted(() -> run(task, body));
    task.thread = thread;
    return thread;
  }

  private void run(SimThread task, Runnable body) {
    try {
      task.awaitTurn();
      if (!task.killed) {
        body.run();
      }
    } catch (ProcessKilled killed) {
      // the thread ends
    } catch (AssertionError | RuntimeException e) {
      failure = e; // fails the whole schedule
    } finally {
      task.isOver = true;
      handedOver.release();
    }
  }

  /** Lets other threads run. Called by a thread of the simulation. */
  void yieldThread() {
    SimThread self = running;
    if (self == null) {
      return; // the test's own thread
    }
    handedOver.release();
    self.awaitTurn();
    if (self.killed) {
      throw new ProcessKilled();
    }
  }

  /**
   * Lets other threads run while the condition is true, until the given time. Called by a thread of
   * the simulation.
   *
   * @param untilNanos latest time to wait, in nanoseconds of the simulated clock
   */
  void yieldWhile(BooleanSupplier condition, long untilNanos, LongSupplier now) {
    SimThread self = running;
    if (self == null) {
      throw new IllegalStateException("only threads of the simulation can wait");
    }
    self.waitCondition = () -> condition.getAsBoolean() && now.getAsLong() < untilNanos;
    self.waitsUntil = untilNanos;
    try {
      yieldThread();
    } finally {
      self.waitCondition = () -> false;
      self.waitsUntil = Long.MAX_VALUE;
    }
  }

  /**
   * Waits like {@link #yieldWhile}, unless the condition is already false.
   *
   * @throws InterruptedException if the thread is or was interrupted
   */
  void await(BooleanSupplier condition, long untilNanos, LongSupplier now)
      throws InterruptedException {
    if (condition.getAsBoolean() && now.getAsLong() < untilNanos) {
      yieldUnlessInterrupted(condition, untilNanos, now);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Waits like {@link #yieldWhile}; an interrupt ends the wait and stays set. */
  void yieldUnlessInterrupted(BooleanSupplier condition, long untilNanos, LongSupplier now) {
    SimThread self = running;
    if (!Thread.currentThread().isInterrupted()) {
      yieldWhile(() -> condition.getAsBoolean() && !self.isInterrupted(), untilNanos, now);
    }
  }

  /** Returns the names of the process's threads that have not ended. */
  List<String> unfinishedThreads(Object process) {
    return threadsOf(process).stream().map(SimThread::toString).toList();
  }

  boolean hasEnded(Thread thread) {
    return tasks.stream().noneMatch(task -> task.thread == thread && !task.isOver);
  }

  /** Returns the threads that can continue, in a fixed order. */
  List<SimThread> readyThreads() {
    tasks.removeIf(task -> task.isOver);
    return tasks.stream().filter(task -> !task.waitCondition.getAsBoolean()).toList();
  }

  /** Returns the time at which the next waiting thread wakes; {@link Long#MAX_VALUE} for none. */
  long nextWake(long now) {
    return tasks.stream()
        .filter(task -> !task.isOver && task.waitCondition.getAsBoolean())
        .mapToLong(task -> task.waitsUntil)
        .filter(wake -> wake > now)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * Lets one random thread run until it hands over.
   *
   * @return false if no thread can continue
   */
  boolean resumeRandom(Random random) {
    List<SimThread> runnableThreads = readyThreads();
    if (runnableThreads.isEmpty()) {
      return false;
    }
    resume(runnableThreads.get(random.nextInt(runnableThreads.size())));
    return true;
  }

  /** Lets a thread run until it hands over. */
  void resume(SimThread task) {
    running = task;
    task.giveTurn();
    handedOver.acquireUninterruptibly();
    running = null;
    Throwable failed = failure;
    if (failed != null) {
      throw new AssertionError(failed.getMessage(), failed);
    }
  }

  /**
   * Ends all threads of a process at their current points, including threads that they start
   * meanwhile.
   */
  void kill(Object process) {
    int rounds = 0;
    for (List<SimThread> remainingThreads = threadsOf(process);
        !remainingThreads.isEmpty();
        remainingThreads = threadsOf(process)) {
      FinalState.verify(rounds++ < 1_000, "a killed process does not end: " + remainingThreads);
      for (SimThread task : remainingThreads) {
        task.killed = true;
        resume(task);
      }
    }
    tasks.removeIf(task -> task.isOver);
  }

  private List<SimThread> threadsOf(Object process) {
    return tasks.stream().filter(task -> task.process == process && !task.isOver).toList();
  }
}
