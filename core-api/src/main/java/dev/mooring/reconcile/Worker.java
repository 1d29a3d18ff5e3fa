package dev.mooring.reconcile;

import dev.mooring.spi.Failure;
import dev.mooring.workqueue.Taken;
import dev.mooring.workqueue.WorkQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The loop: take a key, reconcile it, map the outcome to the queue. Runs on that many virtual
 * threads. A reconciler that throws costs that key one retry and nobody else anything.
 *
 * @param <K> the key
 */
public final class Worker<K> {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  private final String name;
  private final WorkQueue<K> queue;
  private final Reconciler<K> reconciler;
  private final int parallelism;
  private final ReconcileStats stats = new ReconcileStats();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * A worker that does not run yet.
   *
   * @param name for threads and logs
   * @param queue where keys come from
   * @param reconciler what is done with them
   * @param parallelism how many keys at once, at least 1
   */
  public Worker(String name, WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism) {
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "worker " + name + " needs a parallelism of at least 1, was " + parallelism);
    }
    this.name = name;
    this.queue = queue;
    this.reconciler = reconciler;
    this.parallelism = parallelism;
  }

  /** Starts the threads. */
  public synchronized void start() {
    for (int i = 0; i < parallelism; i++) {
      threads.add(Thread.ofVirtual().name(name + "-" + i).start(this::loop));
    }
  }

  /**
   * Drains the queue, then ends the threads; what is still running after the grace is interrupted.
   *
   * @return whether everything queued was processed
   */
  public synchronized boolean stop(Duration grace) throws InterruptedException {
    boolean drained = queue.drain(grace);
    if (!drained) {
      threads.forEach(Thread::interrupt);
    }
    for (Thread thread : threads) {
      thread.join(Duration.ofSeconds(5));
    }
    threads.clear();
    return drained;
  }

  /**
   * Reconciles one key on the caller's thread, if there is one: for those who decide themselves
   * what happens when, as simulations do. Not to be mixed with {@link #start}.
   *
   * @return whether there was a key
   */
  public boolean step() throws InterruptedException {
    if (queue.depth() > 0 && queue.take() instanceof Taken.Item<K>(K key)) {
      process(key);
      return true;
    }
    return false;
  }

  /** How reconciles ended so far. */
  public ReconcileStats stats() {
    return stats;
  }

  private void loop() {
    try {
      while (queue.take() instanceof Taken.Item<K>(K key)) {
        process(key);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void process(K key) throws InterruptedException {
    try {
      apply(key, attempt(key));
    } finally {
      queue.done(key);
    }
  }

  private Outcome attempt(K key) throws InterruptedException {
    try {
      return reconciler.reconcile(key);
    } catch (InterruptedException stopped) {
      throw stopped;
    } catch (Exception | LinkageError | StackOverflowError bug) {
      stats.faults.increment();
      LOG.log(
          Level.ERROR,
          () -> name + ": reconciling " + key + " failed with a bug; it is tried again",
          bug);
      return new Outcome.Retry(new Failure.Fault(bug.toString(), bug));
    }
  }

  private void apply(K key, Outcome outcome) {
    switch (outcome) {
      case Outcome.Settled() -> {
        stats.settled.increment();
        queue.forget(key);
      }
      case Outcome.CheckAgain(Duration after) -> {
        stats.settled.increment();
        queue.forget(key);
        queue.addAfter(key, after);
      }
      case Outcome.Conflicted(String what) -> {
        stats.conflicted.increment();
        LOG.log(Level.DEBUG, () -> name + ": " + key + ": " + what + "; looking again");
        queue.addRateLimited(key);
      }
      case Outcome.Retry retry -> {
        Failure because = retry.because();
        stats.retried.increment();
        LOG.log(
            Level.WARNING, () -> name + ": " + key + ": " + because.message() + "; trying again");
        queue.addRateLimited(key, retry.earliest());
      }
      case Outcome.GiveUp(Failure because) -> {
        stats.givenUp.increment();
        LOG.log(Level.WARNING, () -> name + ": " + key + ": " + because.message());
        queue.forget(key);
      }
    }
  }
}
