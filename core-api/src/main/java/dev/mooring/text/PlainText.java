package dev.mooring.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Filter for all text that leaves the process: events, logs, the audit log, the terminal, the
 * console and MCP. Tenants and drivers write much of it. Characters that control a terminal,
 * reorder text or are invisible to users become U+FFFD.
 */
public final class PlainText {
  private static final int REPLACEMENT = 0xfffd;

  private static final int[][] INVISIBLE = {
    {0x034f, 0x034f}, // combining grapheme joiner
    {0x115f, 0x1160}, // Hangul fillers
    {0x17b4, 0x17b5}, // Khmer inherent vowels
    {0x180b, 0x180f}, // Mongolian variation selectors
    {0x2065, 0x2065},
    {0x3164, 0x3164}, // Hangul filler
    {0xfe00, 0xfe0f}, // variation selectors
    {0xffa0, 0xffa0}, // halfwidth Hangul filler
    {0xfff0, 0xfff8},
    {0xe0000, 0xe0fff}, // tags, variation selectors supplement
  };

  private PlainText() {}

  /** Filters a text; line ends and tabs stay. */
  public static String filter(String text) {
    return filter(text, false);
  }

  public static String filterLine(String text) {
    return filter(text, true);
  }

  public static Map<String, Object> filterTree(Map<String, ? extends @Nullable Object> tree) {
    Map<String, Object> copy = new LinkedHashMap<>();
    tree.forEach((key, value) -> copy.put(filter(key), filterValue(value)));
    return copy;
  }

  @SuppressWarnings("NullAway") // JSON values and maps may contain null
  private static Object filterValue(@Nullable Object value) {
    return switch (value) {
      case String text -> filter(text);
      case Map<?, ?> map -> {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, element) -> copy.put(filter(String.valueOf(key)), filterValue(element)));
        yield copy;
      }
      case List<?> list -> list.stream().map(PlainText::filterValue).toList();
      case null -> null;
      default -> value;
    };
  }

  public static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> !isInvisible(codePoint);
    };
  }

  private static boolean isInvisible(int codePoint) {
    for (int[] range : INVISIBLE) {
      if (codePoint >= range[0] && codePoint <= range[1]) {
        return true;
      }
    }
    return false;
  }

  private static String filter(String text, boolean oneLine) {
    int plainLength = plainLength(text);
    if (plainLength == text.length()) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length()).append(text, 0, plainLength);
    text.codePoints()
        .skip(plainLength) // each skipped character has one UTF-16 unit
        .forEach(c -> {
          if (c == '\n' || c == '\t') {
            result.append(oneLine ? ' ' : (char) c);
          } else {
            result.appendCodePoint(isVisible(c) ? c : REPLACEMENT);
          }
        });
    return result.toString();
  }

  // Returns the number of leading printable ASCII characters; most texts consist of these only.
  private static int plainLength(String text) {
    int length = 0;
    while (length < text.length() && text.charAt(length) >= ' ' && text.charAt(length) < 0x7f) {
      length++;
    }
    return length;
  }
}
