package dev.mooring.reconcile;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.spi.Failure;
import dev.mooring.thread.VitalThreads;
import dev.mooring.workqueue.KeyOutcome;
import dev.mooring.workqueue.ReconcileContext;
import dev.mooring.workqueue.TakeResult;
import dev.mooring.workqueue.WorkQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reconcile loop: takes a key, reconciles it and applies the outcome to the queue. Runs on a fixed
 * number of virtual threads. An exception costs only its own key a retry. Slows down, logs and
 * counts hot loops.
 *
 * @param <K> type of the keys
 */
final class Worker<K> {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  private final String name;
  private final WorkQueue<K> queue;
  private final Reconciler<K> reconciler;

  static final Duration INTERRUPT_WAIT = Duration.ofSeconds(5);

  private final int parallelism;
  private final Audit audit;
  private final List<Thread> threads = new ArrayList<>();
  private final HotLoopPolicy<K> hotLoops = new HotLoopPolicy<>(HotLoopPolicy.Limits.DEFAULTS);
  private volatile boolean stopping;
  private volatile boolean queueClosed;

  Worker(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism) {
    this(queue, reconciler, parallelism, new Audit(queue.name(), AuditSink.NONE));
  }

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

  record Audit(String controller, AuditSink sink) {}

  synchronized void start() {
    stopping = false;
    queue.setWorkers(parallelism);
    for (int i = 0; i < parallelism; i++) {
      threads.add(
          VitalThreads.start(
              queue.time(), name + "-" + i, () -> stopping || queueClosed, this::loop));
    }
  }

  synchronized boolean stop(Duration grace) throws InterruptedException {
    stopping = true;
    boolean drained = queue.drain(grace);
    if (!drained) {
      threads.forEach(Thread::interrupt);
    }
    for (Thread thread : threads) {
      queue.time().join(thread, INTERRUPT_WAIT);
    }
    threads.clear();
    return drained;
  }

  private void loop() {
    boolean more = true;
    while (more) {
      try {
        more = processNext();
        queueClosed = !more; // the queue's owner has shut it down
      } catch (InterruptedException interrupted) {
        more = !stopping; // ignores an interrupt that a reconciler's callee caused
      }
    }
  }

  boolean processNext() throws InterruptedException {
    if (queue.take() instanceof TakeResult.Item<K>(K key)) {
      process(key);
      return true;
    }
    return false;
  }

  private final class KeyActivity implements ReconcileContext.ReconcileListener {
    private final K key;
    private final long began = queue.time().nanos();
    private volatile ReconcileContext.ActionOrigin doer = ReconcileContext.ActionOrigin.NONE;
    private volatile boolean goesFirst;

    KeyActivity(K key) {
      this.key = key;
      this.goesFirst = queue.wasExpedited(key);
    }

    @Override
    public boolean completesStartedWork() {
      return goesFirst;
    }

    @Override
    public void decisionMade(String decision, String reason) {
      doer = new ReconcileContext.ActionOrigin("", "", decision, reason);
    }

    @Override
    public ReconcileContext.ActionOrigin actionOrigin() {
      ReconcileContext.ActionOrigin last = doer;
      return new ReconcileContext.ActionOrigin(
          audit.controller, String.valueOf(key), last.decision(), last.reason());
    }

    @Override
    public void operationEnded(String operation, String problem, Duration took) {
      note(operation, problem.isEmpty() ? "done" : "failed", problem, took);
    }

    private void note(String did, String result, String problem, Duration took) {
      audit.sink.note(
          new AuditEntry(
              queue.time().now(),
              actionOrigin(),
              did,
              AuditEntry.Target.NONE,
              AuditEntry.Change.NONE,
              result,
              problem,
              took));
    }

    /** Records failures only: the ports record writes and events. */
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
    public void requestStarting() {
      queue.markWaiting(key);
    }

    @Override
    public void requestAnswered(boolean write, String target, int content) {
      goesFirst |= write;
      synchronized (hotLoops) {
        hotLoops.recordAct(key, write, target, content, queue.time().nanos());
      }
    }

    @Override
    public void ownWriteObserved() {
      synchronized (hotLoops) {
        hotLoops.withdrawPrompt(key);
      }
    }
  }

  private void process(K key) throws InterruptedException {
    try {
      boolean prompted = queue.takeExternalTrigger(key);
      Duration wait = enter(key, prompted);
      if (wait.isPositive()) {
        queue.addAfter(key, wait);
        return;
      }
      KeyActivity activity = new KeyActivity(key);
      ReconcileContext.<Void, InterruptedException>run(
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
    synchronized (hotLoops) {
      return hotLoops.enter(key, prompted, queue.time().nanos());
    }
  }

  private void leave(K key) {
    Optional<HotLoopPolicy.Finding> found;
    synchronized (hotLoops) {
      found = hotLoops.exit(key, queue.time().nanos());
    }
    found.ifPresent(finding -> {
      queue.countOutcome(KeyOutcome.RESTLESS);
      LOG.log(Level.WARNING, () -> describeHotLoop(key, finding));
    });
  }

  private String describeHotLoop(K key, HotLoopPolicy.Finding found) {
    return "%s: %s : hot loop, slowing down: %s reconciles in %s ms, of them %s prompted; %s %s times"
        .formatted(
            name,
            key,
            found.passes(),
            found.within().toMillis(),
            found.prompts(),
            found.most(),
            found.times());
  }

  private Outcome attempt(K key) throws InterruptedException {
    try {
      return reconciler.reconcile(key);
    } catch (InterruptedException interrupted) {
      if (stopping) {
        throw interrupted;
      }
      return new Outcome.Retry(
          new Failure.Fault("interrupted from outside the worker", interrupted));
    } catch (Exception | LinkageError | StackOverflowError bug) {
      queue.countOutcome(KeyOutcome.FAULT);
      LOG.log(
          Level.ERROR, () -> name + ": reconciling " + key + " failed with a bug; retrying", bug);
      return new Outcome.Retry(new Failure.Fault(bug.toString(), bug));
    }
  }

  private void apply(K key, boolean prompted, Outcome outcome) {
    switch (outcome) {
      case Outcome.Settled() -> {
        queue.countOutcome(KeyOutcome.SETTLED);
        queue.forget(key);
      }
      case Outcome.CheckAgain(Duration after) -> {
        queue.countOutcome(KeyOutcome.SETTLED);
        queue.forget(key);
        queue.addAfter(key, after);
      }
      case Outcome.Deferred() -> {
        queue.countOutcome(KeyOutcome.SETTLED);
        if (prompted) {
          queue.forget(key);
        }
      }
      case Outcome.Conflicted(String what) -> {
        queue.countOutcome(KeyOutcome.CONFLICTED);
        LOG.log(Level.DEBUG, () -> name + ": " + key + ": " + what + "; retrying");
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
        queue.countOutcome(KeyOutcome.GIVEN_UP);
        LOG.log(Level.WARNING, () -> name + ": " + key + ": " + because.message());
        queue.forget(key);
      }
    }
  }

  private void countRetried(K key, String because) {
    queue.countOutcome(KeyOutcome.RETRIED);
    LOG.log(Level.WARNING, () -> name + ": " + key + ": " + because + "; retrying");
  }
}
