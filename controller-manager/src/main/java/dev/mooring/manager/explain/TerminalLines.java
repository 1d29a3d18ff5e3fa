package dev.mooring.manager.explain;

import dev.mooring.text.PlainText;
import java.util.ArrayList;
import java.util.List;

/**
 * Text for a terminal, 80 columns wide. Tenants can write parts of it, so {@link PlainText} filters
 * it.
 */
final class TerminalLines {
  private static final int WIDTH = 80;

  private final List<String> lines = new ArrayList<>();

  void put(String heading, String text) {
    String indent = " ".repeat(heading.length());
    StringBuilder line = new StringBuilder(heading);
    boolean isEmpty = true;
    for (String word : PlainText.filterLine(text).strip().split(" +", -1)) {
      int available = WIDTH - line.length() - (isEmpty ? 0 : 1);
      if (!isEmpty && word.length() > available) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(indent);
        isEmpty = true;
      }
      String remainder = word;
      while (line.length() + remainder.length() + (isEmpty ? 0 : 1)
          > WIDTH) { // split a word that is longer than a line
        int length = splitLength(remainder, WIDTH - line.length());
        lines.add(line + remainder.substring(0, length));
        remainder = remainder.substring(length);
        line = new StringBuilder(indent);
      }
      line.append(isEmpty ? "" : " ").append(remainder);
      isEmpty = false;
    }
    lines.add(line.toString().stripTrailing());
  }

  /**
   * Returns the length of a long word's first part; avoids a split after a slash, so that names
   * stay whole.
   */
  private static int splitLength(String word, int available) {
    int slash = word.lastIndexOf('/', available - 1);
    return slash > 0 ? slash + 1 : available;
  }

  void addBlankLine() {
    lines.add("");
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
