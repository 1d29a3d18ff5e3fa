package dev.mooring.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Table of text. A column is as wide as its longest cell. With a limited width, wide columns are
 * narrowed and their cells wrapped. {@link PlainText} filters the cells. Not thread-safe.
 */
public final class TextTable {
  /** Width of a terminal, as in all reports of this program. */
  public static final int TERMINAL = 80;

  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final String GAP = "  ";
  private static final int NARROWEST = 12;

  private final int width;
  private final List<List<String>> rows = new ArrayList<>();
  private final Set<Integer> numbers = new HashSet<>();

  /**
   * Creates a table.
   *
   * @param width maximum length of a line; {@link #UNLIMITED} never wraps
   * @param headings headings of the columns
   */
  public TextTable(int width, String... headings) {
    this.width = width;
    row(headings);
  }

  /** Adds a row; it has as many cells as there are headings. */
  public TextTable row(String... cells) {
    if (!rows.isEmpty() && cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + rows.getFirst().size() + " columns");
    }
    rows.add(Arrays.stream(cells).map(PlainText::filterLine).toList());
    return this;
  }

  /** Aligns a column to the right, as numbers are. */
  public TextTable alignRight(int column) {
    numbers.add(column);
    return this;
  }

  private int[] widths() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    long excess =
        Arrays.stream(widths).asLongStream().sum() + GAP.length() * (columns - 1L) - width;
    for (; excess > 0; excess--) {
      int widest = 0;
      for (int i = 1; i < columns; i++) {
        widest = widths[i] >= widths[widest] ? i : widest;
      }
      if (widths[widest] <= NARROWEST) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  /** Returns the table; every line ends with a line separator. */
  @Override
  public String toString() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      List<List<String>> cells = new ArrayList<>();
      for (int i = 0; i < widths.length; i++) {
        cells.add(LineWrap.wrap("", row.get(i), widths[i]));
      }
      int height = cells.stream().mapToInt(List::size).max().orElse(1);
      for (int line = 0; line < height; line++) {
        text.append(line(cells, widths, line)).append(System.lineSeparator());
      }
    }
    return text.toString();
  }

  private String line(List<List<String>> cells, int[] widths, int number) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String part = number < cells.get(i).size() ? cells.get(i).get(number) : "";
      String padding = " ".repeat(Math.max(0, widths[i] - part.length()));
      line.append(i == 0 ? "" : GAP);
      line.append(numbers.contains(i) ? padding + part : part + padding);
    }
    return line.toString().stripTrailing();
  }
}
