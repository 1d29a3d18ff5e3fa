package dev.mooring.reconcile;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.spi.Failure;
import dev.mooring.text.LogMessage;
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
  private final HotLoopPolicy<K> hotLoopPolicy = new HotLoopPolicy<>(HotLoopPolicy.Limits.DEFAULTS);
  private volatile boolean isStopping;
  private volatile boolean isQueueClosed;

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
    isStopping = false;
    queue.setWorkers(parallelism);
    for (int i = 0; i < parallelism; i++) {
      threads.add(
          VitalThreads.start(
              queue.time(), name + "-" + i, () -> isStopping || isQueueClosed, this::processKeys));
    }
  }

  synchronized boolean stop(Duration grace) throws InterruptedException {
    isStopping = true;
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

  private void processKeys() {
    boolean isOpen = true;
    while (isOpen) {
      try {
        isOpen = processNext();
        isQueueClosed = !isOpen; // the queue's owner has shut it down
      } catch (InterruptedException interrupted) {
        isOpen = !isStopping; // ignores an interrupt that a reconciler's callee caused
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
    private final long startNanos = queue.time().nanos();
    private volatile ReconcileContext.ActionOrigin lastOrigin = ReconcileContext.ActionOrigin.NONE;
    private volatile boolean isPrioritized;

    KeyActivity(K key) {
      this.key = key;
      this.isPrioritized = queue.wasExpedited(key);
    }

    @Override
    public boolean completesStartedWork() {
      return isPrioritized;
    }

    @Override
    public void decisionMade(String decision, String reason) {
      lastOrigin = new ReconcileContext.ActionOrigin("", "", decision, reason);
    }

    @Override
    public ReconcileContext.ActionOrigin actionOrigin() {
      ReconcileContext.ActionOrigin last = lastOrigin;
      return new ReconcileContext.ActionOrigin(
          audit.controller, String.valueOf(key), last.decision(), last.reason());
    }

    @Override
    public void operationEnded(String operation, String problem, Duration duration) {
      recordAction(operation, problem.isEmpty() ? "done" : "failed", problem, duration);
    }

    private void recordAction(String action, String result, String problem, Duration duration) {
      audit.sink.record(
          new AuditEntry(
              queue.time().now(),
              actionOrigin(),
              action,
              AuditEntry.Target.NONE,
              AuditEntry.Change.NONE,
              result,
              problem,
              duration));
    }

    /** Records failures only: the ports record writes and events. */
    void recordFailure(Outcome outcome) {
      switch (outcome) {
        case Outcome.Settled _, Outcome.CheckAgain _, Outcome.Deferred _, Outcome.Conflicted _ -> {}
        case Outcome.Retry(Failure failure) -> recordReconcile("retry", failure.message());
        case Outcome.Unanswered(String message) -> recordReconcile("retry", message);
        case Outcome.GiveUp(Failure failure) -> recordReconcile("give-up", failure.message());
      }
    }

    private void recordReconcile(String result, String message) {
      recordAction(
          "reconcile", result, message, Duration.ofNanos(queue.time().nanos() - startNanos));
    }

    @Override
    public void requestStarting() {
      queue.markWaiting(key);
    }

    @Override
    public void requestAnswered(boolean write, String target, int content) {
      isPrioritized |= write;
      synchronized (hotLoopPolicy) {
        hotLoopPolicy.recordAct(key, write, target, content, queue.time().nanos());
      }
    }

    @Override
    public void ownWriteObserved() {
      synchronized (hotLoopPolicy) {
        hotLoopPolicy.withdrawPrompt(key);
      }
    }
  }

  private void process(K key) throws InterruptedException {
    try {
      boolean isExternal = queue.takeExternalTrigger(key);
      Duration delay = startReconcile(key, isExternal);
      if (delay.isPositive()) {
        queue.addAfter(key, delay);
        return;
      }
      KeyActivity activity = new KeyActivity(key);
      audit.sink.reconcileStarting(activity);
      try {
        ReconcileContext.<Void, InterruptedException>run(
            activity,
            () -> {
              Outcome outcome = attempt(key);
              activity.recordFailure(outcome);
              applyOutcome(key, isExternal, outcome);
              return null;
            });
      } finally {
        audit.sink.reconcileEnded(activity);
      }
      endReconcile(key);
    } finally {
      queue.done(key);
    }
  }

  private Duration startReconcile(K key, boolean isExternal) {
    synchronized (hotLoopPolicy) {
      return hotLoopPolicy.startReconcile(key, isExternal, queue.time().nanos());
    }
  }

  private void endReconcile(K key) {
    Optional<HotLoopPolicy.Finding> finding;
    synchronized (hotLoopPolicy) {
      finding = hotLoopPolicy.endReconcile(key, queue.time().nanos());
    }
    finding.ifPresent(hotLoop -> {
      queue.countOutcome(KeyOutcome.RESTLESS);
      LOG.log(Level.WARNING, describeHotLoop(key, hotLoop));
    });
  }

  private LogMessage describeHotLoop(K key, HotLoopPolicy.Finding finding) {
    return message("hot loop; backing off", key)
        .with("reconciles", finding.reconciles())
        .with("external-changes", finding.externalChanges())
        .with("milliseconds", finding.period().toMillis())
        .with("act", finding.mostFrequentAct())
        .with("repetitions", finding.repetitions());
  }

  private Outcome attempt(K key) throws InterruptedException {
    try {
      return reconciler.reconcile(key);
    } catch (InterruptedException interrupted) {
      if (isStopping) {
        throw interrupted;
      }
      return new Outcome.Retry(
          new Failure.Unreachable("interrupted from outside the worker: " + interrupted));
    } catch (Exception | LinkageError | StackOverflowError bug) {
      queue.countOutcome(KeyOutcome.FAULT);
      LOG.log(Level.ERROR, message("reconcile failed with a bug; retrying", key).withCause(bug));
      return new Outcome.Retry(new Failure.Fault(bug.toString(), bug));
    }
  }

  private void applyOutcome(K key, boolean isExternal, Outcome outcome) {
    switch (outcome) {
      case Outcome.Settled() -> {
        queue.countOutcome(KeyOutcome.SETTLED);
        queue.forget(key);
      }
      case Outcome.CheckAgain(Duration delay) -> {
        queue.countOutcome(KeyOutcome.SETTLED);
        queue.forget(key);
        queue.addAfter(key, delay);
      }
      case Outcome.Deferred() -> {
        queue.countOutcome(KeyOutcome.SETTLED);
        if (isExternal) {
          queue.forget(key);
        }
      }
      case Outcome.Conflicted(String message) -> {
        queue.countOutcome(KeyOutcome.CONFLICTED);
        LOG.log(Level.DEBUG, () -> name + ": " + key + ": " + message + "; retrying");
        queue.addRateLimitedWithin(key, Outcome.CONFLICTED_LONGEST);
      }
      case Outcome.Retry retry -> {
        countRetried(key, retry.failure());
        queue.addRateLimited(key, retry.earliest());
      }
      case Outcome.Unanswered(String message) -> {
        countRetried(key, new Failure.Unreachable(message));
        queue.addRateLimitedWithin(key, Outcome.UNANSWERED_LONGEST);
      }
      case Outcome.GiveUp(Failure failure) -> {
        queue.countOutcome(KeyOutcome.GIVEN_UP);
        LOG.log(
            Level.WARNING,
            message("reconcile failed; no retry before a change", key)
                .with(LogMessage.ERR, failure.message()));
        queue.forget(key);
      }
    }
  }

  // A fault has its line already, from the catch block or from the operation that failed.
  private void countRetried(K key, Failure failure) {
    queue.countOutcome(KeyOutcome.RETRIED);
    LOG.log(
        failure instanceof Failure.Fault ? Level.DEBUG : Level.WARNING,
        message("reconcile failed; retrying", key).with(LogMessage.ERR, failure.message()));
  }

  private LogMessage message(String text, K key) {
    return LogMessage.of(text).with("controller", name).with("key", key);
  }
}
