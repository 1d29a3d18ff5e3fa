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

    record Unanswered(boolean mayHaveHappened, String why) implements AbnormalEnd {}
  }

  static final class FailedCallException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient AbnormalEnd how;

    private FailedCallException(AbnormalEnd how) {
      super(how.toString());
      this.how = how;
    }

    AbnormalEnd how() {
      return how;
    }
  }

  private static final System.Logger LOG = System.getLogger(Bulkhead.class.getName());

  static final int MOST_HANGING = 32;

  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  /**
   * After an unanswered quick call, the pause is this multiple of its deadline. It limits the cost
   * for the caller to one part of its time.
   */
  private static final int PART = 10;

  private final String plugin;
  private final ClassLoader loader;
  private final Duration deadline;
  private final ExecutorService threads;
  private final CircuitBreaker breaker = new CircuitBreaker(System::nanoTime);
  private final Set<String> activeSubjects = ConcurrentHashMap.newKeySet();
  private final Set<PendingCall<?>> running = ConcurrentHashMap.newKeySet();
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicLong quickCalls = new AtomicLong();
  private volatile long nextQuickCall = System.nanoTime();
  private boolean closed; // guarded by this

  Bulkhead(String plugin, ClassLoader loader, ThreadGroup group, Duration deadline) {
    this.plugin = plugin;
    this.loader = loader;
    this.deadline = deadline;
    this.threads =
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
   * @param about object of the call, for example a volume; calls about the same object exclude each
   *     other
   * @throws FailedCallException if the call threw, missed the deadline, or was not made
   */
  <T> T call(String about, Callable<T> call) throws FailedCallException {
    if (!activeSubjects.add(about)) {
      throw unanswered(
          true, "an earlier call to plugin " + plugin + " about " + about + " has not ended");
    }
    PendingCall<T> task = new PendingCall<>(about, call);
    try {
      admit(task);
      checkCircuit();
    } catch (FailedCallException refused) {
      task.forget();
      throw refused;
    }
    try {
      T answer = make(task, deadline);
      breaker.succeeded();
      return answer;
    } catch (FailedCallException e) {
      if (!Thread.currentThread().isInterrupted()) { // an interrupt is not the plugin's fault
        breaker
            .failed(about)
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
    if (!breaker.admits()) {
      throw unanswered(
          false,
          "plugin %s: circuit open: calls about %s or more objects failed in a row; see the log"
              .formatted(plugin, CircuitBreaker.THINGS));
    }
  }

  /**
   * Makes a call that must return immediately. Its outcome does not affect the circuit breaker.
   * Callers may depend on other plugins too, so an unanswered call blocks further quick calls for a
   * while.
   *
   * @param what the question, for messages
   */
  <T> T quickCall(String what, Callable<T> call) throws FailedCallException {
    Duration patience = shorter(deadline, AT_ONCE);
    if (nextQuickCall - System.nanoTime() > 0) {
      throw unanswered(
          false,
          "plugin %s is not called for up to %s: it did not answer a call that must return immediately"
              .formatted(plugin, seconds(patience.multipliedBy(PART))));
    }
    PendingCall<T> task = new PendingCall<>(what + " #" + quickCalls.incrementAndGet(), call);
    admit(task);
    try {
      return make(task, patience);
    } catch (FailedCallException e) {
      if (e.how() instanceof AbnormalEnd.Unanswered && !Thread.currentThread().isInterrupted()) {
        nextQuickCall = System.nanoTime() + patience.multipliedBy(PART).toNanos();
      }
      throw e;
    }
  }

  <T> T finalCall(String what, Callable<T> call) throws FailedCallException {
    return make(new PendingCall<>(what, call), shorter(deadline, AT_ONCE));
  }

  private <T> T make(PendingCall<T> task, Duration deadline) throws FailedCallException {
    boolean begun = false;
    try {
      threads.execute(task);
      begun = true;
    } finally {
      if (!begun) { // no more threads can be created
        task.forget();
      }
    }
    try {
      if (!task.await(deadline) && task.abandon()) {
        throw unanswered(
            true,
            "plugin %s did not answer about %s for %s"
                .formatted(plugin, task.about, seconds(deadline)));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      if (task.abandon()) {
        throw unanswered(true, "interrupted");
      }
    }
    return task.result();
  }

  private synchronized void admit(PendingCall<?> task) throws FailedCallException {
    if (closed) {
      throw unanswered(false, "plugin " + plugin + " is being unloaded");
    }
    if (hanging.get() >= MOST_HANGING) {
      throw unanswered(
          false,
          "plugin %s is blocked: %s of its calls do not end; restart Mooring, or fix the plugin"
              .formatted(plugin, hanging.get()));
    }
    running.add(task);
  }

  private static FailedCallException unanswered(boolean mayHaveHappened, String why) {
    return new FailedCallException(new AbnormalEnd.Unanswered(mayHaveHappened, why));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static String seconds(Duration deadline) {
    return deadline.toMillis() / 1000.0 + " s";
  }

  static <T> Attempt<T> attempt(AbnormalEnd.Unanswered unanswered) {
    return new Attempt.Failed<>(
        unanswered.mayHaveHappened()
            ? new Failure.Uncertain(unanswered.why())
            : new Failure.Unreachable(unanswered.why()));
  }

  synchronized void close() {
    closed = true;
  }

  boolean drain(Duration grace) throws InterruptedException {
    close();
    long end = System.nanoTime() + grace.toNanos();
    boolean all = true;
    for (PendingCall<?> task : running) {
      if (!task.await(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
        all = false;
        task.interrupt();
      }
    }
    return all;
  }

  void release() {
    close();
    threads.shutdown();
  }

  private final class PendingCall<T> implements Runnable {
    private final String about;
    private final FutureTask<T> work;
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable Thread runner;
    private boolean left;
    private boolean ended;

    PendingCall(String about, Callable<T> call) {
      this.about = about;
      this.work =
          new FutureTask<>(
              () -> Objects.requireNonNull(call.call(), "the answer about " + about + " is null"));
    }

    @Override
    public void run() {
      Thread.currentThread().setContextClassLoader(loader);
      if (begins()) {
        work.run();
      }
      end();
    }

    private synchronized boolean begins() {
      runner = Thread.currentThread();
      return !left;
    }

    private void end() {
      synchronized (this) {
        ended = true;
        runner = null;
        if (left) {
          hanging.decrementAndGet();
        }
      }
      Thread.interrupted(); // clears an interrupt before the thread is reused
      // before the caller resumes, since it may call about the same object immediately
      forget();
      done.countDown();
    }

    void forget() {
      activeSubjects.remove(about);
      running.remove(this);
    }

    T result() throws FailedCallException {
      if (work.state() == Future.State.FAILED) {
        FatalErrors.check(work.exceptionNow()); // resources of the whole process are exhausted
        throw new FailedCallException(new AbnormalEnd.Threw(work.exceptionNow()));
      }
      return work.resultNow();
    }

    boolean await(Duration time) throws InterruptedException {
      return done.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    synchronized boolean abandon() {
      if (ended) {
        return false;
      }
      left = true;
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
