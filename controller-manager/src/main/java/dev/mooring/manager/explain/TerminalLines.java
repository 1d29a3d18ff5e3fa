package dev.mooring.manager.explain;

import dev.mooring.text.PlainText;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines of 80 columns at most, for a terminal. Tenants write much of the text: {@link PlainText}
 * filters it.
 */
final class TerminalLines {
  private static final int WIDTH = 80;

  private final List<String> lines = new ArrayList<>();

  /** A paragraph under a heading, whose lines but the first begin under the text of the first. */
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
      while (line.length() + rest.length() + (empty ? 0 : 1) > WIDTH) { // a word of its own length
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

  /** How much of a long word goes into the room: a name that follows a slash stays whole. */
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
