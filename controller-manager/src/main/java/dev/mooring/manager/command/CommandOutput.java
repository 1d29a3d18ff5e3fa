package dev.mooring.manager.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Standard output of a command whose text is filtered before it gets colours. */
final class CommandOutput {
  private CommandOutput() {}

  static boolean hasColours() {
    String noColour = System.getenv("NO_COLOR");
    return TerminalWidth.isTerminal()
        && (noColour == null || noColour.isEmpty())
        && !"dumb".equals(System.getenv("TERM"));
  }

  /**
   * Returns the stream.
   *
   * @param hasColours whether the stream bypasses the filter of control characters, which would
   *     remove colours
   */
  static PrintStream stream(boolean hasColours) {
    return hasColours
        ? new PrintStream(new FileOutputStream(FileDescriptor.out), true, System.out.charset())
        : new PrintStream(System.out, true, StandardCharsets.UTF_8);
  }
}
