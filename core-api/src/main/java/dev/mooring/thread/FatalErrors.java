package dev.mooring.thread;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The one place where this process gives up: with a line that says why and {@link #EXIT_CODE}, at
 * once. A leader that has lost a part of itself would go on renewing its Lease and do nothing; one
 * that ends is followed by another replica. Thread-safe.
 */
public final class FatalErrors {
  /** The JVM's own code with {@code -XX:+ExitOnOutOfMemoryError}, so that there is one to know. */
  public static final int EXIT_CODE = 3;

  private static final System.Logger LOG = System.getLogger(FatalErrors.class.getName());

  private FatalErrors() {}

  /**
   * From now on memory that runs out ends the process on whatever thread it is noticed; other
   * exceptions that nobody catches are logged, and end their thread as ever.
   */
  public static void install() {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> {
      check(cause);
      LOG.log(Level.ERROR, () -> "thread " + thread.getName() + " has ended", cause);
    });
  }

  /**
   * Whoever catches Throwable calls this first. Ends the process if the JVM itself cannot go on: no
   * memory, no threads, an internal error. A stack that was too deep is over when it is caught.
   */
  public static void check(@Nullable Throwable cause) {
    if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
      end("the virtual machine cannot go on", cause);
    }
  }

  /**
   * Ends the process. Does not return.
   *
   * @param what what has happened, for people, on one line
   * @param cause why, null if that is not known
   */
  public static void end(String what, @Nullable Throwable cause) {
    try {
      String line =
          what
              + (cause == null ? "" : " (" + cause + ")")
              + ": this process ends with code "
              + EXIT_CODE
              + ", so that another takes over";
      System.err.println("mooring: " + line.replace('\n', ' '));
      LOG.log(Level.DEBUG, "where it happened", cause);
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
