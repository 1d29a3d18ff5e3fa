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
  static ExplainResult of(Path kubeconfig, Path plugins, String... more) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      List<String> args =
          new ArrayList<>(List.of("explain", "--kubeconfig=" + kubeconfig, "--plugins=" + plugins));
      args.addAll(List.of(more));
      int code = Main.execute(args.toArray(String[]::new));
      return new ExplainResult(
          code, captured.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
