package dev.mooring.it;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Result of a command that ran in this process, which saves the start of a JVM.
 *
 * @param code exit code
 * @param output lines of standard output and standard error
 */
public record CommandResult(int code, String output) {
  public List<String> lines() {
    return output.lines().toList();
  }

  /**
   * Runs a command to its end. Replaces the streams of this process, so only one test may do so at
   * a time.
   */
  public static CommandResult ofCommand(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream capture = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(capture);
      System.setErr(capture);
      int code = Main.execute(args);
      return new CommandResult(code, bytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
