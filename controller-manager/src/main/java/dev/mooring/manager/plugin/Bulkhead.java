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
 * One plugin's share of the process: its calls run on threads of its own and have a deadline. A
 * call that does not end when it is interrupted is left to itself; nothing is asked about the same
 * volume before it has ended, and with too many of them nothing at all. A plugin that fails for
 * everything is left in peace for a while. Thread-safe.
 *
 * <p>Platform threads, because a plugin that spins would keep a virtual thread's carrier from
 * everybody; and because a thread group can interrupt those that the plugin has started itself.
 */
final class Bulkhead {
  /** What a call came to that did not simply end. */
  sealed interface Ended {
    /** It has thrown. */
    record Threw(Throwable cause) implements Ended {}

    /** It was not made, or has not ended: for people. */
    record Unanswered(boolean mayHaveHappened, String why) implements Ended {}
  }

  /** A call that did not simply end. */
  static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Ended how;

    private Broken(Ended how) {
      super(how.toString());
      this.how = how;
    }

    Ended how() {
      return how;
    }
  }

  private static final System.Logger LOG = System.getLogger(Bulkhead.class.getName());

  /** So many calls may hang before the plugin is asked nothing more. */
  static final int MOST_HANGING = 32;

  /** How long at most something may take that has to return at once. */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  /** Not answering at once costs whoever asks about one part in so many of their time. */
  private static final int PART = 10;

  private final String plugin;
  private final ClassLoader loader;
  private final Duration deadline;
  private final ExecutorService threads;
  private final Breaker breaker = new Breaker(System::nanoTime);
  private final Set<String> going = ConcurrentHashMap.newKeySet();
  private final Set<Going<?>> running = ConcurrentHashMap.newKeySet();
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicLong quickCalls = new AtomicLong();
  private volatile long nextQuickCall = System.nanoTime();
  private boolean closed; // guarded by this

  /**
   * For that plugin.
   *
   * @param loader its threads' class loader
   * @param group its threads' group
   * @param deadline how long a call may take
   */
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

  /** Calls that have not ended although they were interrupted. */
  int hanging() {
    return hanging.get();
  }

  /**
   * Whether its circuit is open: it is asked nothing for a while, because it failed for everything.
   */
  boolean isCircuitOpen() {
    return breaker.isOpen();
  }

  /**
   * Makes a call.
   *
   * @param about what no two calls may be about at once, for example a volume
   * @throws Broken if it threw, or did not end within the deadline, or was not made
   */
  <T> T call(String about, Callable<T> call) throws Broken {
    if (!going.add(about)) {
      throw unanswered(
          true, "an earlier call to plugin " + plugin + " about " + about + " has not ended");
    }
    Going<T> task = new Going<>(about, call);
    try {
      admit(task);
      checkCircuit();
    } catch (Broken refused) {
      task.forget();
      throw refused;
    }
    try {
      T answer = make(task, deadline);
      breaker.succeeded();
      return answer;
    } catch (Broken e) {
      if (!Thread.currentThread().isInterrupted()) { // which is not the plugin's fault
        breaker
            .failed(about)
            .ifPresent(pause ->
                LOG.log(
                    System.Logger.Level.WARNING,
                    () ->
                        "plugin "
                            + plugin
                            + " fails for whatever it is asked; it is left in peace for "
                            + seconds(pause)));
      }
      throw e;
    }
  }

  private void checkCircuit() throws Broken {
    if (!breaker.admits()) {
      throw unanswered(
          false,
          "plugin "
              + plugin
              + " is left in peace for a while: its calls about "
              + Breaker.THINGS
              + " things and more failed one after another; the log says how");
    }
  }

  /**
   * Asks something that is to be answered at once. It says nothing about how well the plugin works,
   * and may be about anything. Who asks may have to do with other plugins too: after a question
   * that was not answered none is asked for a while.
   *
   * @param what what is asked, for people
   */
  <T> T quickCall(String what, Callable<T> call) throws Broken {
    Duration patience = shorter(deadline, AT_ONCE);
    if (nextQuickCall - System.nanoTime() > 0) {
      throw unanswered(
          false,
          "plugin "
              + plugin
              + " is not asked for up to "
              + seconds(patience.multipliedBy(PART))
              + ": it has not answered what has to be answered at once");
    }
    Going<T> task = new Going<>(what + " #" + quickCalls.incrementAndGet(), call);
    admit(task);
    try {
      return make(task, patience);
    } catch (Broken e) {
      if (e.how() instanceof Ended.Unanswered && !Thread.currentThread().isInterrupted()) {
        nextQuickCall = System.nanoTime() + patience.multipliedBy(PART).toNanos();
      }
      throw e;
    }
  }

  /** The last call, after {@link #drain}: it is made although the plugin is being taken out. */
  <T> T last(String what, Callable<T> call) throws Broken {
    return make(new Going<>(what, call), shorter(deadline, AT_ONCE));
  }

  private <T> T make(Going<T> task, Duration deadline) throws Broken {
    boolean begun = false;
    try {
      threads.execute(task);
      begun = true;
    } finally {
      if (!begun) { // there may be no more threads
        task.forget();
      }
    }
    try {
      if (!task.await(deadline) && task.leave()) {
        throw unanswered(
            true,
            "plugin "
                + plugin
                + " has not answered about "
                + task.about
                + " for "
                + seconds(deadline));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      if (task.leave()) {
        throw unanswered(true, "interrupted");
      }
    }
    return task.result();
  }

  /** Whoever closes it afterwards waits for the task. */
  private synchronized void admit(Going<?> task) throws Broken {
    if (closed) {
      throw unanswered(false, "plugin " + plugin + " is being taken out");
    }
    if (hanging.get() >= MOST_HANGING) {
      throw unanswered(
          false,
          "plugin "
              + plugin
              + " is not asked any more: "
              + hanging.get()
              + " of its calls do not end; restart Mooring, or mend the plugin");
    }
    running.add(task);
  }

  private static Broken unanswered(boolean mayHaveHappened, String why) {
    return new Broken(new Ended.Unanswered(mayHaveHappened, why));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static String seconds(Duration deadline) {
    return deadline.toMillis() / 1000.0 + " s";
  }

  /** What an unanswered call says as the answer of an operation. */
  static <T> Attempt<T> attempt(Ended.Unanswered unanswered) {
    return new Attempt.Failed<>(
        unanswered.mayHaveHappened()
            ? new Failure.Uncertain(unanswered.why())
            : new Failure.Unreachable(unanswered.why()));
  }

  /** From now on no call is made; those that run may end. */
  synchronized void close() {
    closed = true;
  }

  /**
   * Waits for the calls that run, and interrupts those that take longer.
   *
   * @return whether all have ended by themselves
   */
  boolean drain(Duration grace) throws InterruptedException {
    close();
    long end = System.nanoTime() + grace.toNanos();
    boolean all = true;
    for (Going<?> task : running) {
      if (!task.await(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
        all = false;
        task.interrupt();
      }
    }
    return all;
  }

  /** Lets the threads end. */
  void release() {
    close();
    threads.shutdown();
  }

  /** A call, and what is known of it after its caller has left. */
  private final class Going<T> implements Runnable {
    private final String about;
    private final FutureTask<T> work;
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable Thread runner;
    private boolean left;
    private boolean ended;

    Going(String about, Callable<T> call) {
      this.about = about;
      this.work =
          new FutureTask<>(
              () -> Objects.requireNonNull(call.call(), "its answer about " + about + " is null"));
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
      Thread.interrupted(); // the next call on this thread begins afresh
      // before the caller hears of it, who may at once ask about the same thing again
      forget();
      done.countDown();
    }

    void forget() {
      going.remove(about);
      running.remove(this);
    }

    T result() throws Broken {
      if (work.state() == Future.State.FAILED) {
        FatalErrors.check(work.exceptionNow()); // what has run out is everybody's
        throw new Broken(new Ended.Threw(work.exceptionNow()));
      }
      return work.resultNow();
    }

    boolean await(Duration time) throws InterruptedException {
      return done.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Its caller does not wait any longer; false if it has ended meanwhile. */
    synchronized boolean leave() {
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
