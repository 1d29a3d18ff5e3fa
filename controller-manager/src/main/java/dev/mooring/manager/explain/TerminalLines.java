package dev.mooring.manager.explain;

import dev.mooring.text.LineWrap;
import dev.mooring.text.PlainText;
import dev.mooring.text.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Text for a terminal, 80 columns wide. Tenants can write parts of it, so {@link PlainText} filters
 * it.
 */
final class TerminalLines {
  private final List<String> lines = new ArrayList<>();

  void put(String heading, String text) {
    lines.addAll(LineWrap.wrap(heading, PlainText.filterLine(text), TextTable.TERMINAL));
  }

  void addBlankLine() {
    lines.add("");
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
