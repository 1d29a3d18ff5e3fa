package dev.mooring.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Breaks text at spaces into lines of limited length. A heading starts the first line; the other
 * lines are indented by its length.
 */
public final class LineWrap {
  private LineWrap() {}

  /** Splits words that are longer than a line, if possible after a separator. */
  public static List<String> wrap(String heading, String text, int width) {
    return wrap(heading, text, Math.max(1, width - heading.length()), true);
  }

  /** Keeps words that are longer than a line, so that a user can copy a value. */
  public static List<String> wrapWholeWords(String heading, String text, int width) {
    return wrap(heading, text, width - heading.length(), false);
  }

  private static List<String> wrap(
      String heading, String text, int available, boolean splitsWords) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split(" +", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > available) {
        addLine(lines, heading, line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
      while (splitsWords && line.length() > available) {
        int end = breakBefore(line.toString(), available);
        addLine(lines, heading, line.substring(0, end));
        line.delete(0, end);
      }
    }
    addLine(lines, heading, line.toString());
    return lines;
  }

  private static void addLine(List<String> lines, String heading, String line) {
    String start = lines.isEmpty() ? heading : " ".repeat(heading.length());
    lines.add((start + line).stripTrailing());
  }

  /** A name is easier to read if it is whole after a slash, or starts after another separator. */
  private static int breakBefore(String word, int width) {
    int slash = word.lastIndexOf('/', width - 1);
    if (slash > 0) {
      return slash + 1;
    }
    for (int i = width; i > width / 2; i--) {
      if (".,-_=:".indexOf(word.charAt(i - 1)) >= 0) {
        return i;
      }
    }
    return width;
  }
}
