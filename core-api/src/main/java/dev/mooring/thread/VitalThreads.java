package dev.mooring.thread;

import java.util.function.BooleanSupplier;

/**
 * Virtual threads that must run as long as the process. If one of them ends early, for any reason,
 * {@link FatalErrors} ends the process. Thread-safe.
 */
public final class VitalThreads {
  private VitalThreads() {}

  /**
   * Starts a long-running thread.
   *
   * @param name name, which the process prints if it ends because of this thread
   * @param mayEnd whether the thread was asked to stop or has finished; evaluated after it ends
   * @param body work of the thread
   */
  public static Thread start(String name, BooleanSupplier mayEnd, Runnable body) {
    return start(ThreadSource.VIRTUAL, name, mayEnd, body);
  }

  public static Thread start(
      ThreadSource source, String name, BooleanSupplier mayEnd, Runnable body) {
    Thread thread = newThread(source, name, mayEnd, body);
    thread.start();
    return thread;
  }

  /**
   * Starts a thread that may end at any time, but not with an exception.
   *
   * @param name name of the thread
   * @param body work of the thread
   */
  public static Thread startOnce(String name, Runnable body) {
    return startOnce(ThreadSource.VIRTUAL, name, body);
  }

  public static Thread startOnce(ThreadSource source, String name, Runnable body) {
    Thread thread = source.newThread(name, body);
    thread.setUncaughtExceptionHandler(
        (ended, cause) -> FatalErrors.exitProcess("thread " + name + " failed", cause));
    thread.start();
    return thread;
  }

  public static Thread newThread(String name, BooleanSupplier mayEnd, Runnable body) {
    return newThread(ThreadSource.VIRTUAL, name, mayEnd, body);
  }

  private static Thread newThread(
      ThreadSource source, String name, BooleanSupplier mayEnd, Runnable body) {
    Thread thread =
        source.newThread(
            name,
            () -> {
              body.run();
              if (!mayEnd.getAsBoolean()) {
                FatalErrors.exitProcess("thread " + name + " ended unexpectedly", null);
              }
            });
    thread.setUncaughtExceptionHandler((ended, cause) -> {
      FatalErrors.exitIfFatal(cause);
      if (!mayEnd.getAsBoolean()) {
        FatalErrors.exitProcess("thread " + name + " ended unexpectedly", cause);
      }
    });
    return thread;
  }
}
