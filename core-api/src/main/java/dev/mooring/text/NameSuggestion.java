package dev.mooring.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggestions for misspelled names. */
public final class NameSuggestion {
  private static final int MOST_EDITS = 2;

  private NameSuggestion() {}

  /** Returns the nearest name within two edits. */
  public static Optional<String> to(String typed, Collection<String> names) {
    return names.stream()
        .filter(name -> edits(typed, name) <= Math.min(MOST_EDITS, name.length() - 1))
        .min(Comparator.comparingInt((String name) -> edits(typed, name)).thenComparing(n -> n));
  }

  private static int edits(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
