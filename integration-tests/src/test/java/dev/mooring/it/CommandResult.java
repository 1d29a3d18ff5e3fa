package dev.mooring.it;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Result of a command that ran in this process, which saves the start of a JVM.
 *
 * @param code exit code
 * @param out standard output
 * @param errors standard error
 */
public record CommandResult(int code, String out, String errors) {
  /** Returns standard error, then standard output. */
  public String output() {
    return errors + out;
  }

  public List<String> lines() {
    return output().lines().toList();
  }

  /**
   * Runs a command to its end. Replaces the streams of this process, so only one test may do so at
   * a time.
   */
  public static CommandResult ofCommand(String... args) {
    PrintStream originalOut = System.out;
    PrintStream originalErrors = System.err;
    ByteArrayOutputStream capturedOut = new ByteArrayOutputStream();
    ByteArrayOutputStream capturedErrors = new ByteArrayOutputStream();
    System.setOut(new PrintStream(capturedOut, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(capturedErrors, true, StandardCharsets.UTF_8));
    try {
      int code = Main.execute(args);
      return new CommandResult(
          code,
          capturedOut.toString(StandardCharsets.UTF_8),
          capturedErrors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(originalOut);
      System.setErr(originalErrors);
    }
  }

  /** Runs {@code mooring explain}. */
  public static CommandResult ofExplain(Path kubeconfig, Path plugins, String... arguments) {
    List<String> args =
        new ArrayList<>(List.of("explain", "--kubeconfig=" + kubeconfig, "--plugins=" + plugins));
    args.addAll(List.of(arguments));
    return ofCommand(args.toArray(String[]::new));
  }
}
