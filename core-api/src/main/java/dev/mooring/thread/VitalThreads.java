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
    return start(ThreadSource.VIRTUAL, name, mayEnd, body);
  }

  /**
   * The same, of that source's threads.
   *
   * @param source makes the thread
   */
  public static Thread start(
      ThreadSource source, String name, BooleanSupplier mayEnd, Runnable body) {
    Thread thread = unstarted(source, name, mayEnd, body);
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
    return startOnce(ThreadSource.VIRTUAL, name, body);
  }

  /**
   * The same, of that source's threads.
   *
   * @param source makes the thread
   */
  public static Thread startOnce(ThreadSource source, String name, Runnable body) {
    Thread thread = source.thread(name, body);
    thread.setUncaughtExceptionHandler(
        (ended, cause) -> FatalErrors.end("thread " + name + " has failed", cause));
    thread.start();
    return thread;
  }

  /** One that lives long, not started yet. */
  public static Thread unstarted(String name, BooleanSupplier mayEnd, Runnable body) {
    return unstarted(ThreadSource.VIRTUAL, name, mayEnd, body);
  }

  private static Thread unstarted(
      ThreadSource source, String name, BooleanSupplier mayEnd, Runnable body) {
    Thread thread =
        source.thread(
            name,
            () -> {
              body.run();
              if (!mayEnd.getAsBoolean()) {
                FatalErrors.end("thread " + name + " has ended", null);
              }
            });
    thread.setUncaughtExceptionHandler((ended, cause) -> {
      FatalErrors.check(cause);
      if (!mayEnd.getAsBoolean()) {
        FatalErrors.end("thread " + name + " has ended", cause);
      }
    });
    return thread;
  }
}
