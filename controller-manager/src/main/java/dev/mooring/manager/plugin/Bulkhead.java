package dev.mooring.manager.plugin;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.thread.FatalErrors;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Isolates the calls of one plugin: own threads, a deadline, and a circuit breaker. A call that
 * ignores an interrupt is abandoned. Calls about the same object fail until it ends. Too many
 * abandoned calls block the plugin. Thread-safe.
 *
 * <p>Uses platform threads, because a spinning plugin would occupy the carrier of a virtual thread.
 * Besides, a thread group allows interrupting threads that the plugin started.
 */
final class Bulkhead {
  sealed interface AbnormalEnd {
    record Threw(Throwable cause) implements AbnormalEnd {}

    record Unanswered(boolean mayHaveHappened, String reason) implements AbnormalEnd {}
  }

  static final class FailedCallException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient AbnormalEnd abnormalEnd;

    private FailedCallException(AbnormalEnd abnormalEnd) {
      super(abnormalEnd.toString());
      this.abnormalEnd = abnormalEnd;
    }

    AbnormalEnd abnormalEnd() {
      return abnormalEnd;
    }
  }

  private static final System.Logger LOG = System.getLogger(Bulkhead.class.getName());

  static final int MAX_HANGING = 32;

  private static final Duration QUICK_DEADLINE = Duration.ofSeconds(5);

  /**
   * Pause after an unanswered quick call, as a multiple of its deadline. Limits the time that a
   * caller loses to a tenth.
   */
  private static final int PAUSE_FACTOR = 10;

  private final String plugin;
  private final ClassLoader loader;
  private final Duration deadline;
  private final ExecutorService executor;
  private final CircuitBreaker breaker = new CircuitBreaker(System::nanoTime);
  private final Set<String> activeSubjects = ConcurrentHashMap.newKeySet();
  private final Set<PendingCall<?>> runningCalls = ConcurrentHashMap.newKeySet();
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicLong quickCalls = new AtomicLong();
  private volatile long nextQuickCall = System.nanoTime();
  private boolean closed; // guarded by this

  Bulkhead(String plugin, ClassLoader loader, ThreadGroup group, Duration deadline) {
    this.plugin = plugin;
    this.loader = loader;
    this.deadline = deadline;
    this.executor =
        Executors.newCachedThreadPool(
            Thread.ofPlatform()
                .group(group)
                .daemon()
                .name("plugin " + plugin + " ", 0)
                .inheritInheritableThreadLocals(false)
                .factory());
  }

  int hanging() {
    return hanging.get();
  }

  boolean isCircuitOpen() {
    return breaker.isOpen();
  }

  /**
   * Makes a call.
   *
   * @param subject object of the call, for example a volume; calls about the same object exclude
   *     each other
   * @throws FailedCallException if the call threw, missed the deadline, or was not made
   */
  <T> T call(String subject, Callable<T> call) throws FailedCallException {
    if (!activeSubjects.add(subject)) {
      throw newUnansweredException(
          true, "an earlier call to plugin " + plugin + " about " + subject + " has not ended");
    }
    PendingCall<T> task = new PendingCall<>(subject, call);
    try {
      admit(task);
      checkCircuit();
    } catch (FailedCallException e) {
      task.unregister();
      throw e;
    }
    try {
      T answer = execute(task, deadline);
      breaker.recordSuccess();
      return answer;
    } catch (FailedCallException e) {
      if (!Thread.currentThread().isInterrupted()) { // an interrupt is not the plugin's fault
        breaker
            .recordFailure(subject)
            .ifPresent(pause ->
                LOG.log(
                    System.Logger.Level.WARNING,
                    () ->
                        "plugin %s: all calls fail; circuit open for %s"
                            .formatted(plugin, seconds(pause))));
      }
      throw e;
    }
  }

  private void checkCircuit() throws FailedCallException {
    if (!breaker.tryAdmit()) {
      throw newUnansweredException(
          false,
          "plugin %s: circuit open: calls about %s or more objects failed in a row; see the log"
              .formatted(plugin, CircuitBreaker.FAILED_SUBJECTS));
    }
  }

  /**
   * Makes a call that must return immediately. Its outcome does not affect the circuit breaker.
   * Callers may depend on other plugins too, so an unanswered call blocks further quick calls for a
   * while.
   *
   * @param operation the question, for messages
   */
  <T> T quickCall(String operation, Callable<T> call) throws FailedCallException {
    Duration quickDeadline = min(deadline, QUICK_DEADLINE);
    if (nextQuickCall - System.nanoTime() > 0) {
      throw newUnansweredException(
          false,
          "plugin %s is not called for up to %s: it did not answer a call that must return immediately"
              .formatted(plugin, seconds(quickDeadline.multipliedBy(PAUSE_FACTOR))));
    }
    PendingCall<T> task = new PendingCall<>(operation + " #" + quickCalls.incrementAndGet(), call);
    admit(task);
    try {
      return execute(task, quickDeadline);
    } catch (FailedCallException e) {
      if (e.abnormalEnd() instanceof AbnormalEnd.Unanswered
          && !Thread.currentThread().isInterrupted()) {
        nextQuickCall = System.nanoTime() + quickDeadline.multipliedBy(PAUSE_FACTOR).toNanos();
      }
      throw e;
    }
  }

  <T> T finalCall(String operation, Callable<T> call) throws FailedCallException {
    return execute(new PendingCall<>(operation, call), min(deadline, QUICK_DEADLINE));
  }

  private <T> T execute(PendingCall<T> task, Duration deadline) throws FailedCallException {
    boolean isSubmitted = false;
    try {
      executor.execute(task);
      isSubmitted = true;
    } finally {
      if (!isSubmitted) { // no more threads can be created
        task.unregister();
      }
    }
    try {
      if (!task.await(deadline) && task.abandon()) {
        throw newUnansweredException(
            true,
            "plugin %s did not answer about %s for %s"
                .formatted(plugin, task.subject, seconds(deadline)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (task.abandon()) {
        throw newUnansweredException(true, "interrupted");
      }
    }
    return task.result();
  }

  private synchronized void admit(PendingCall<?> task) throws FailedCallException {
    if (closed) {
      throw newUnansweredException(false, "plugin " + plugin + " is being unloaded");
    }
    if (hanging.get() >= MAX_HANGING) {
      throw newUnansweredException(
          false,
          "plugin %s is blocked: %s of its calls do not end; restart Mooring, or fix the plugin"
              .formatted(plugin, hanging.get()));
    }
    runningCalls.add(task);
  }

  private static FailedCallException newUnansweredException(
      boolean mayHaveHappened, String reason) {
    return new FailedCallException(new AbnormalEnd.Unanswered(mayHaveHappened, reason));
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static String seconds(Duration deadline) {
    return deadline.toMillis() / 1000.0 + " s";
  }

  static <T> Attempt<T> toFailedAttempt(AbnormalEnd.Unanswered unanswered) {
    return new Attempt.Failed<>(
        unanswered.mayHaveHappened()
            ? new Failure.Uncertain(unanswered.reason())
            : new Failure.Unreachable(unanswered.reason()));
  }

  synchronized void close() {
    closed = true;
  }

  boolean drain(Duration grace) throws InterruptedException {
    close();
    long drainEnd = System.nanoTime() + grace.toNanos();
    boolean haveAllEnded = true;
    for (PendingCall<?> task : runningCalls) {
      if (!task.await(Duration.ofNanos(Math.max(0, drainEnd - System.nanoTime())))) {
        haveAllEnded = false;
        task.interrupt();
      }
    }
    return haveAllEnded;
  }

  void release() {
    close();
    executor.shutdown();
  }

  private final class PendingCall<T> implements Runnable {
    private final String subject;
    private final FutureTask<T> work;
    private final CountDownLatch finished = new CountDownLatch(1);
    private @Nullable Thread runner;
    private boolean isAbandoned;
    private boolean hasEnded;

    PendingCall(String subject, Callable<T> call) {
      this.subject = subject;
      this.work =
          new FutureTask<>(() ->
              Objects.requireNonNull(call.call(), "the answer about " + subject + " is null"));
    }

    @Override
    public void run() {
      Thread.currentThread().setContextClassLoader(loader);
      if (tryStart()) {
        work.run();
      }
      finish();
    }

    private synchronized boolean tryStart() {
      runner = Thread.currentThread();
      return !isAbandoned;
    }

    private void finish() {
      synchronized (this) {
        hasEnded = true;
        runner = null;
        if (isAbandoned) {
          hanging.decrementAndGet();
        }
      }
      Thread.interrupted(); // clears an interrupt before the thread is reused
      // before the caller resumes, since it may call about the same object immediately
      unregister();
      finished.countDown();
    }

    void unregister() {
      activeSubjects.remove(subject);
      runningCalls.remove(this);
    }

    T result() throws FailedCallException {
      if (work.state() == Future.State.FAILED) {
        FatalErrors.exitIfFatal(
            work.exceptionNow()); // resources of the whole process are exhausted
        throw new FailedCallException(new AbnormalEnd.Threw(work.exceptionNow()));
      }
      return work.resultNow();
    }

    boolean await(Duration timeout) throws InterruptedException {
      return finished.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    synchronized boolean abandon() {
      if (hasEnded) {
        return false;
      }
      isAbandoned = true;
      hanging.incrementAndGet();
      interrupt();
      return true;
    }

    synchronized void interrupt() {
      if (runner != null) {
        runner.interrupt();
      }
    }
  }
}
