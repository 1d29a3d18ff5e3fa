package dev.mooring.plugin.localpath;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

final class SimilarName {
  private SimilarName() {}

  static Optional<String> to(String written, Collection<String> known) {
    return known.stream()
        .filter(word -> changes(written, word) * 2 < word.length())
        .min(Comparator.<String>comparingInt(word -> changes(written, word)).thenComparing(w -> w));
  }

  private static int changes(String one, String other) {
    String from = one.toLowerCase(Locale.ROOT);
    String to = other.toLowerCase(Locale.ROOT);
    int[] above = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return above[to.length()];
  }
}
