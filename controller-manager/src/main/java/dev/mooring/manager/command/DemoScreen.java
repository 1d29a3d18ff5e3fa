package dev.mooring.manager.command;

import dev.mooring.text.LineWrap;
import dev.mooring.text.PlainText;
import dev.mooring.text.TextTable;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Output of the demo: with colours, wrapped lines and optional pauses on a terminal. */
final class DemoScreen {
  private static final String BOLD = "\u001b[1;36m";
  private static final String DIM = "\u001b[2m";
  private static final String RED = "\u001b[1;31m";
  private static final String PLAIN = "\u001b[0m";
  private static final String INDENT = " ".repeat(10);

  private final PrintStream out;
  private final boolean isTerminal;
  private final boolean hasColours;
  private final Duration pause;
  private final long startNanos = System.nanoTime();

  private DemoScreen(PrintStream out, boolean isTerminal, boolean hasColours, Duration pause) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.hasColours = hasColours;
    this.pause = pause;
  }

  /**
   * Returns the screen of this process. On a terminal it bypasses the filter of control characters,
   * and filters the texts itself.
   *
   * @param pause pause after each line
   */
  static DemoScreen ofProcess(Duration pause) {
    if (!TerminalWidth.isTerminal()) {
      return plain(System.out, pause);
    }
    return new DemoScreen(CommandOutput.stream(true), true, CommandOutput.hasColours(), pause);
  }

  static DemoScreen plain(PrintStream out, Duration pause) {
    return new DemoScreen(out, false, false, pause);
  }

  static DemoScreen coloured(PrintStream out) {
    return new DemoScreen(out, true, true, Duration.ZERO);
  }

  void title(String title) {
    out.println();
    String text = PlainText.filterLine(title);
    out.println(isTerminal ? colour(BOLD, wrap("== ", text)) : "== " + text);
  }

  /** Prints a line with the time since the start, then pauses. */
  void printStep(String text) throws InterruptedException {
    String time =
        String.format(
            Locale.ROOT, "%6.3f s", (System.nanoTime() - startNanos) / (double) 1_000_000_000);
    String line = PlainText.filterLine(text);
    boolean isFailure = line.startsWith("FAILED");
    if (isTerminal) {
      String body = wrap(INDENT, line).substring(INDENT.length());
      out.println(colour(DIM, time) + "  " + (isFailure ? colour(RED, body) : body));
    } else {
      out.println(time + "  " + line);
    }
    out.flush();
    TimeUnit.MILLISECONDS.sleep(pause.toMillis());
  }

  /** Prints commands with their purposes. */
  void commands(String heading, String... commandsAndPurposes) {
    title(heading);
    TextTable table = new TextTable(TextTable.TERMINAL, "", "");
    for (int i = 0; i < commandsAndPurposes.length; i += 2) {
      table.row("  " + commandsAndPurposes[i], commandsAndPurposes[i + 1]);
    }
    out.print(table.toString().stripLeading().indent(2));
    out.flush();
  }

  private String colour(String colour, String text) {
    return hasColours ? colour + text + PLAIN : text;
  }

  private static String wrap(String heading, String text) {
    return String.join(
        System.lineSeparator(), LineWrap.wrapWholeWords(heading, text, TextTable.TERMINAL));
  }
}
