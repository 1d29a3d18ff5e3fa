package dev.mooring.manager.command;

import dev.mooring.text.TextTable;

/** Width of tables: limited on a terminal, unlimited in a pipe, so that a row stays a line. */
final class TerminalWidth {
  private TerminalWidth() {}

  static int ofOutput() {
    return isTerminal() ? TextTable.TERMINAL : TextTable.UNLIMITED;
  }

  static boolean isTerminal() {
    return System.console() != null;
  }
}
