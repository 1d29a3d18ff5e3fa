package dev.mooring.thread;

import java.util.function.BooleanSupplier;

/**
 * Virtual threads that have to live as long as the process works: whatever ends one of them before
 * its time, an exception, an error or a mistake, ends the process by {@link FatalErrors}.
 * Thread-safe.
 */
public final class VitalThreads {
  private VitalThreads() {}

  /**
   * Starts one.
   *
   * @param name its name, which the line at the end of the process tells
   * @param mayEnd whether the thread has been asked to end, or has done what it had to; asked when
   *     it has ended
   * @param body what it does
   */
  public static Thread start(String name, BooleanSupplier mayEnd, Runnable body) {
    Thread thread = unstarted(name, mayEnd, body);
    thread.start();
    return thread;
  }

  /**
   * Starts one that has something to do once: it may end at any time, but not by an exception.
   *
   * @param name its name
   * @param body what it does
   */
  public static Thread startOnce(String name, Runnable body) {
    return Thread.ofVirtual()
        .name(name)
        .uncaughtExceptionHandler(
            (thread, cause) -> FatalErrors.end("thread " + name + " has failed", cause))
        .start(body);
  }

  /** One that lives long, not started yet. */
  public static Thread unstarted(String name, BooleanSupplier mayEnd, Runnable body) {
    return Thread.ofVirtual()
        .name(name)
        .uncaughtExceptionHandler((thread, cause) -> {
          FatalErrors.check(cause);
          if (!mayEnd.getAsBoolean()) {
            FatalErrors.end("thread " + name + " has ended", cause);
          }
        })
        .unstarted(() -> {
          body.run();
          if (!mayEnd.getAsBoolean()) {
            FatalErrors.end("thread " + name + " has ended", null);
          }
        });
  }
}
