package dev.mooring.manager.plugin;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One plugin's share of the process: its calls run on threads of its own and have a deadline. A
 * call that does not end when it is interrupted is left to itself; nothing is asked about the same
 * volume before it has ended, and with too many of them nothing at all. Thread-safe.
 *
 * <p>Platform threads, because a plugin that spins would keep a virtual thread's carrier from
 * everybody.
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

  /** So many calls may hang before the plugin is asked nothing more. */
  static final int MOST_HANGING = 32;

  private final String plugin;
  private final ClassLoader loader;
  private final Duration deadline;
  private final ExecutorService threads;
  private final Set<String> going = ConcurrentHashMap.newKeySet();
  private final AtomicInteger hanging = new AtomicInteger();

  /** For that plugin; its threads have that class loader. */
  Bulkhead(String plugin, ClassLoader loader, Duration deadline) {
    this.plugin = plugin;
    this.loader = loader;
    this.deadline = deadline;
    this.threads =
        Executors.newCachedThreadPool(
            Thread.ofPlatform()
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
   * Makes a call.
   *
   * @param about what no two calls may be about at once, for example a volume
   * @throws Broken if it threw, or did not end within the deadline, or was not made
   */
  <T> T call(String about, Callable<T> call) throws Broken {
    if (hanging.get() >= MOST_HANGING) {
      throw new Broken(
          new Ended.Unanswered(
              false,
              "plugin "
                  + plugin
                  + " is not asked any more: "
                  + hanging.get()
                  + " of its calls do not end; restart Mooring, or mend the plugin"));
    }
    if (!going.add(about)) {
      throw new Broken(
          new Ended.Unanswered(
              true, "an earlier call to plugin " + plugin + " about " + about + " has not ended"));
    }
    Going<T> task = new Going<>(about, call);
    threads.execute(task);
    try {
      return task.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new Broken(new Ended.Threw(e.getCause() == null ? e : e.getCause()));
    } catch (TimeoutException late) {
      task.leave();
      throw new Broken(
          new Ended.Unanswered(
              true, "plugin " + plugin + " has not answered about " + about + " for " + seconds()));
    } catch (InterruptedException stopped) {
      task.leave();
      Thread.currentThread().interrupt();
      throw new Broken(new Ended.Unanswered(true, "interrupted"));
    }
  }

  private String seconds() {
    return deadline.toMillis() / 1000.0 + " s";
  }

  /** What an unanswered call says as the answer of an operation. */
  static <T> Attempt<T> attempt(Ended.Unanswered unanswered) {
    return new Attempt.Failed<>(
        unanswered.mayHaveHappened()
            ? new Failure.Uncertain(unanswered.why())
            : new Failure.Unreachable(unanswered.why()));
  }

  /** A call, and what is known of it after its caller has left. */
  private final class Going<T> extends FutureTask<T> {
    private final String about;
    private boolean left;
    private boolean ended;

    Going(String about, Callable<T> call) {
      super(call);
      this.about = about;
    }

    @Override
    public void run() {
      Thread.currentThread().setContextClassLoader(loader);
      try {
        super.run();
      } finally {
        Thread.interrupted(); // the next call on this thread begins afresh
        end();
      }
    }

    private synchronized void end() {
      ended = true;
      if (left) {
        hanging.decrementAndGet();
      }
      going.remove(about);
    }

    /** Its caller does not wait any longer. */
    void leave() {
      synchronized (this) {
        if (!ended) {
          left = true;
          hanging.incrementAndGet();
        }
      }
      cancel(true);
    }
  }
}
