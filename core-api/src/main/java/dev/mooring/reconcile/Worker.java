package dev.mooring.reconcile;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.spi.Failure;
import dev.mooring.thread.VitalThreads;
import dev.mooring.workqueue.Ended;
import dev.mooring.workqueue.OwnDoing;
import dev.mooring.workqueue.Taken;
import dev.mooring.workqueue.WorkQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The loop: take a key, reconcile it, map the outcome to the queue. Runs on that many virtual
 * threads. A reconciler that throws costs that key one retry and nobody else anything. A key that
 * moves without cause is slowed down, which is said once and counted.
 *
 * @param <K> the key
 */
final class Worker<K> {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  private final String name;
  private final WorkQueue<K> queue;
  private final Reconciler<K> reconciler;

  /** So long a thread that was told to end is waited for. */
  static final Duration ENDING = Duration.ofSeconds(5);

  private final int parallelism;
  private final Audit audit;
  private final List<Thread> threads = new ArrayList<>();
  private final RestPolicy<K> rest = new RestPolicy<>(RestPolicy.Limits.DEFAULTS);
  private volatile boolean stopping;
  private volatile boolean hasNoQueue;

  /**
   * A worker that does not run yet.
   *
   * @param queue where keys come from; its name is that of the threads, its time makes them
   * @param reconciler what is done with them
   * @param parallelism how many keys at once, at least 1
   */
  Worker(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism) {
    this(queue, reconciler, parallelism, new Audit(queue.name(), AuditSink.NONE));
  }

  /** The same, of that controller, noting what it does. */
  Worker(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism, Audit audit) {
    this.audit = audit;
    this.name = queue.name();
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "worker " + name + " needs a parallelism of at least 1, was " + parallelism);
    }
    this.queue = queue;
    this.reconciler = reconciler;
    this.parallelism = parallelism;
  }

  /**
   * Where what is done is noted.
   *
   * @param controller the controller's name
   */
  record Audit(String controller, AuditSink sink) {}

  /** Starts the threads. */
  synchronized void start() {
    stopping = false;
    queue.serve(parallelism);
    for (int i = 0; i < parallelism; i++) {
      threads.add(
          VitalThreads.start(
              queue.time(), name + "-" + i, () -> stopping || hasNoQueue, this::loop));
    }
  }

  /**
   * Drains the queue, then ends the threads; what is still running after the grace is interrupted.
   *
   * @return whether everything queued was processed
   */
  synchronized boolean stop(Duration grace) throws InterruptedException {
    stopping = true;
    boolean drained = queue.drain(grace);
    if (!drained) {
      threads.forEach(Thread::interrupt);
    }
    for (Thread thread : threads) {
      queue.time().join(thread, ENDING);
    }
    threads.clear();
    return drained;
  }

  private void loop() {
    boolean more = true;
    while (more) {
      try {
        more = processNext();
        hasNoQueue = !more; // whoever owns it has shut it down
      } catch (InterruptedException interrupted) {
        more = !stopping; // else it was left behind by what a reconciler called
      }
    }
  }

  /** Waits for a key and reconciles it; false if the queue has been shut down. */
  boolean processNext() throws InterruptedException {
    if (queue.take() instanceof Taken.Item<K>(K key)) {
      process(key);
      return true;
    }
    return false;
  }

  /** What is done for one key, also by jobs that go on after the pass that began them. */
  private final class KeyActivity implements OwnDoing.Activity {
    private final K key;
    private final long began = queue.time().nanos();
    private volatile OwnDoing.Doer doer = OwnDoing.Doer.NOBODY;
    private volatile boolean goesFirst;

    KeyActivity(K key) {
      this.key = key;
      this.goesFirst = queue.wasForward(key);
    }

    @Override
    public boolean goesFirst() {
      return goesFirst;
    }

    @Override
    public void decided(String decision, String reason) {
      doer = new OwnDoing.Doer("", "", decision, reason);
    }

    @Override
    public OwnDoing.Doer doer() {
      OwnDoing.Doer last = doer;
      return new OwnDoing.Doer(
          audit.controller, String.valueOf(key), last.decision(), last.reason());
    }

    @Override
    public void ended(String operation, String problem, Duration took) {
      note(operation, problem.isEmpty() ? "done" : "failed", problem, took);
    }

    private void note(String did, String result, String problem, Duration took) {
      audit.sink.note(
          new AuditEntry(
              queue.time().now(),
              doer(),
              did,
              AuditEntry.Target.NONE,
              AuditEntry.Change.NONE,
              result,
              problem,
              took));
    }

    /** What a reconcile wrote has been noted; that it failed has not. */
    void note(Outcome outcome) {
      switch (outcome) {
        case Outcome.Settled _, Outcome.CheckAgain _, Outcome.Deferred _, Outcome.Conflicted _ -> {}
        case Outcome.Retry(Failure because) -> note("retry", because.message());
        case Outcome.Unanswered(String what) -> note("retry", what);
        case Outcome.GiveUp(Failure because) -> note("give-up", because.message());
      }
    }

    private void note(String result, String because) {
      note("reconcile", result, because, Duration.ofNanos(queue.time().nanos() - began));
    }

    @Override
    public void asks() {
      queue.waits(key);
    }

    @Override
    public void acted(boolean write, String target, int content) {
      goesFirst |= write;
      synchronized (rest) {
        rest.acted(key, write, target, content, queue.time().nanos());
      }
    }

    @Override
    public void echoed() {
      synchronized (rest) {
        rest.notPrompted(key);
      }
    }
  }

  private void process(K key) throws InterruptedException {
    try {
      boolean prompted = queue.takePrompt(key);
      Duration wait = enter(key, prompted);
      if (wait.isPositive()) {
        queue.addAfter(key, wait);
        return;
      }
      KeyActivity activity = new KeyActivity(key);
      OwnDoing.<Void, InterruptedException>as(
          activity,
          () -> {
            Outcome outcome = attempt(key);
            activity.note(outcome);
            apply(key, prompted, outcome);
            return null;
          });
      leave(key);
    } finally {
      queue.done(key);
    }
  }

  private Duration enter(K key, boolean prompted) {
    synchronized (rest) {
      return rest.enter(key, prompted, queue.time().nanos());
    }
  }

  private void leave(K key) {
    Optional<RestPolicy.Finding> found;
    synchronized (rest) {
      found = rest.left(key, queue.time().nanos());
    }
    found.ifPresent(finding -> {
      queue.count(Ended.RESTLESS);
      LOG.log(Level.WARNING, () -> restless(key, finding));
    });
  }

  private String restless(K key, RestPolicy.Finding found) {
    return name
        + ": "
        + key
        + " moves although nothing changes for it, and is slowed down: looked at "
        + found.passes()
        + " times in "
        + found.within().toMillis()
        + " ms, asked to "
        + found.prompts()
        + " times, "
        + found.most()
        + " "
        + found.times()
        + " times";
  }

  private Outcome attempt(K key) throws InterruptedException {
    try {
      return reconciler.reconcile(key);
    } catch (InterruptedException interrupted) {
      if (stopping) {
        throw interrupted;
      }
      return new Outcome.Retry(new Failure.Fault("interrupted by nobody knows whom", interrupted));
    } catch (Exception | LinkageError | StackOverflowError bug) {
      queue.count(Ended.FAULT);
      LOG.log(
          Level.ERROR,
          () -> name + ": reconciling " + key + " failed with a bug; it is tried again",
          bug);
      return new Outcome.Retry(new Failure.Fault(bug.toString(), bug));
    }
  }

  private void apply(K key, boolean prompted, Outcome outcome) {
    switch (outcome) {
      case Outcome.Settled() -> {
        queue.count(Ended.SETTLED);
        queue.forget(key);
      }
      case Outcome.CheckAgain(Duration after) -> {
        queue.count(Ended.SETTLED);
        queue.forget(key);
        queue.addAfter(key, after);
      }
      case Outcome.Deferred() -> {
        queue.count(Ended.SETTLED);
        if (prompted) {
          queue.forget(key);
        }
      }
      case Outcome.Conflicted(String what) -> {
        queue.count(Ended.CONFLICTED);
        LOG.log(Level.DEBUG, () -> name + ": " + key + ": " + what + "; looking again");
        queue.addRateLimitedWithin(key, Outcome.CONFLICTED_LONGEST);
      }
      case Outcome.Retry retry -> {
        countRetried(key, retry.because().message());
        queue.addRateLimited(key, retry.earliest());
      }
      case Outcome.Unanswered(String what) -> {
        countRetried(key, what);
        queue.addRateLimitedWithin(key, Outcome.UNANSWERED_LONGEST);
      }
      case Outcome.GiveUp(Failure because) -> {
        queue.count(Ended.GIVEN_UP);
        LOG.log(Level.WARNING, () -> name + ": " + key + ": " + because.message());
        queue.forget(key);
      }
    }
  }

  private void countRetried(K key, String because) {
    queue.count(Ended.RETRIED);
    LOG.log(Level.WARNING, () -> name + ": " + key + ": " + because + "; trying again");
  }
}
