package dev.mooring.it.explain;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of {@code mooring explain}, run in this process.
 *
 * @param code the exit code
 * @param out standard output
 * @param errors standard error
 */
record ExplainResult(int code, String out, String errors) {
  /** Runs the command with the arguments. */
  static ExplainResult run(Path kubeconfig, Path plugins, String... arguments) {
    PrintStream originalOut = System.out;
    PrintStream originalErrors = System.err;
    ByteArrayOutputStream capturedOut = new ByteArrayOutputStream();
    ByteArrayOutputStream capturedErrors = new ByteArrayOutputStream();
    System.setOut(new PrintStream(capturedOut, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(capturedErrors, true, StandardCharsets.UTF_8));
    try {
      List<String> args =
          new ArrayList<>(List.of("explain", "--kubeconfig=" + kubeconfig, "--plugins=" + plugins));
      args.addAll(List.of(arguments));
      int code = Main.execute(args.toArray(String[]::new));
      return new ExplainResult(
          code,
          capturedOut.toString(StandardCharsets.UTF_8),
          capturedErrors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(originalOut);
      System.setErr(originalErrors);
    }
  }
}
