package dev.mooring.manager.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Commands that the launcher in a checkout does itself; here so that help lists them and typing
 * errors find them.
 */
public final class LauncherCommands {
  private LauncherCommands() {}

  private static int refer(String command) {
    System.err.println(
        "mooring: "
            + command
            + " needs a checkout of the sources: run it there as ./mooring "
            + command);
    return 2;
  }

  /** Measures. */
  @Command(
      name = "bench",
      description =
          "Measures queue, matching, reconcile and decoding beside their peers (in a checkout).",
      mixinStandardHelpOptions = true)
  public static final class Bench implements Callable<Integer> {
    /** For picocli. */
    public Bench() {}

    @Override
    public Integer call() {
      return refer("bench");
    }
  }

  /** Tests. */
  @Command(
      name = "test",
      description = "Builds everything and runs all tests (in a checkout).",
      mixinStandardHelpOptions = true)
  public static final class Test implements Callable<Integer> {
    /** For picocli. */
    public Test() {}

    @Override
    public Integer call() {
      return refer("test");
    }
  }
}
