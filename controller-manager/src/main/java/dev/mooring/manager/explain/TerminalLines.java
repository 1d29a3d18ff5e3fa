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
    boolean empty = true;
    for (String word : PlainText.line(text).strip().split(" +", -1)) {
      int room = WIDTH - line.length() - (empty ? 0 : 1);
      if (!empty && word.length() > room) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(indent);
        empty = true;
      }
      String rest = word;
      while (line.length() + rest.length() + (empty ? 0 : 1)
          > WIDTH) { // split a word that is longer than a line
        int fits = fitting(rest, WIDTH - line.length());
        lines.add(line + rest.substring(0, fits));
        rest = rest.substring(fits);
        line = new StringBuilder(indent);
      }
      line.append(empty ? "" : " ").append(rest);
      empty = false;
    }
    lines.add(line.toString().stripTrailing());
  }

  /**
   * Returns the length of a long word's first part; avoids a split after a slash, so that names
   * stay whole.
   */
  private static int fitting(String word, int room) {
    int slash = word.lastIndexOf('/', room - 1);
    return slash > 0 ? slash + 1 : room;
  }

  void gap() {
    lines.add("");
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
