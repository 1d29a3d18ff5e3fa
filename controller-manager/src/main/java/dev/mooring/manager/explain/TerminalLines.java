package dev.mooring.manager.explain;

import dev.mooring.explain.CauseRank;
import dev.mooring.text.LineWrap;
import dev.mooring.text.PlainText;
import dev.mooring.text.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Text for a terminal, 80 columns wide. Tenants can write parts of it, so {@link PlainText} filters
 * it. Colours are added after the filter.
 */
final class TerminalLines {
  private static final String TITLE_INDENT = "  ";
  private static final String DIM = "\u001b[2m";
  private static final String PLAIN = "\u001b[0m";

  private final List<String> lines = new ArrayList<>();
  private final boolean hasColours;

  TerminalLines() {
    this(false);
  }

  TerminalLines(boolean hasColours) {
    this.hasColours = hasColours;
  }

  void put(String heading, String text) {
    List<String> wrapped = wrap(heading, text);
    if (hasColours && !heading.isBlank()) {
      String name = heading.stripTrailing();
      wrapped.set(0, DIM + name + PLAIN + wrapped.getFirst().substring(name.length()));
    }
    lines.addAll(wrapped);
  }

  private static List<String> wrap(String heading, String text) {
    return LineWrap.wrap(heading, PlainText.filterLine(text), TextTable.TERMINAL);
  }

  void putTitle(String text, CauseRank rank) {
    List<String> wrapped = wrap(TITLE_INDENT, text);
    wrapped.set(0, wrapped.getFirst().substring(TITLE_INDENT.length()));
    for (String line : wrapped) {
      lines.add(hasColours ? colour(rank) + line + PLAIN : line);
    }
  }

  private static String colour(CauseRank rank) {
    return switch (rank) {
      case MISCONFIGURED, FAILING -> "\u001b[1;31m"; // red
      case WAITING, UNKNOWN -> "\u001b[1;33m"; // yellow
      case WORKING, FINE -> "\u001b[1;32m"; // green
    };
  }

  void putCommand(String indent, String command) {
    lines.add(indent + PlainText.filterLine(command));
  }

  void addBlankLine() {
    lines.add("");
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
