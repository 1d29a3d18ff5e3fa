package dev.mooring.thread;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process at once after a fatal error, with one line on standard error and {@link
 * #EXIT_CODE}. A leader without one of its threads would renew its Lease without doing its work;
 * after an exit another replica becomes leader. Thread-safe.
 */
public final class FatalErrors {
  /** Exit code; equals the JVM's own code with {@code -XX:+ExitOnOutOfMemoryError}. */
  public static final int EXIT_CODE = 3;

  private static final System.Logger LOG = System.getLogger(FatalErrors.class.getName());

  private FatalErrors() {}

  /**
   * Installs an uncaught exception handler: an OutOfMemoryError in any thread ends the process.
   * Other uncaught exceptions are logged and end only their thread.
   */
  public static void install() {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> {
      exitIfFatal(cause);
      LOG.log(
          Level.ERROR,
          () -> "thread " + thread.getName() + " ended with an uncaught exception",
          cause);
    });
  }

  /**
   * Ends the process if the JVM cannot continue: no memory, no threads or an internal error. Code
   * that catches Throwable must call this first. A StackOverflowError is not fatal, because the
   * stack is free again.
   */
  public static void exitIfFatal(@Nullable Throwable cause) {
    if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
      exitProcess("the JVM cannot continue", cause);
    }
  }

  /**
   * Ends the process. Does not return.
   *
   * @param problem fact for the operator, on one line
   * @param cause cause; null if unknown
   */
  public static void exitProcess(String problem, @Nullable Throwable cause) {
    try {
      String line =
          "%s: exiting with code %s so that another replica takes over"
              .formatted(problem + (cause == null ? "" : " (" + cause + ")"), EXIT_CODE);
      System.err.println("mooring: " + line.replace('\n', ' '));
      LOG.log(Level.DEBUG, "stack trace of the fatal error", cause);
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
