package dev.mooring.manager.command;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Standard output of a command whose text is filtered before it gets colours. */
final class CommandOutput {
  private CommandOutput() {}

  // Returns whether a write has failed, for example because the reader of a pipe has ended.
  static boolean isClosed() {
    return PlainOutput.unfiltered(System.out).checkError();
  }

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
        ? PlainOutput.unfiltered(System.out)
        : new PrintStream(System.out, true, StandardCharsets.UTF_8);
  }
}
