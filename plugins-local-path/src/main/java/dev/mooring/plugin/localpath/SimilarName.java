package dev.mooring.plugin.localpath;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

final class SimilarName {
  private SimilarName() {}

  static Optional<String> findNearest(String name, Collection<String> knownNames) {
    return knownNames.stream()
        .filter(candidate -> editDistance(name, candidate) * 2 < candidate.length())
        .min(
            Comparator.<String>comparingInt(candidate -> editDistance(name, candidate))
                .thenComparing(w -> w));
  }

  private static int editDistance(String first, String second) {
    String source = first.toLowerCase(Locale.ROOT);
    String target = second.toLowerCase(Locale.ROOT);
    int[] previousRow = new int[target.length() + 1];
    for (int j = 0; j <= target.length(); j++) {
      previousRow[j] = j;
    }
    for (int i = 1; i <= source.length(); i++) {
      int[] row = new int[target.length() + 1];
      row[0] = i;
      for (int j = 1; j <= target.length(); j++) {
        int replaced = previousRow[j - 1] + (source.charAt(i - 1) == target.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(previousRow[j], row[j - 1]) + 1);
      }
      previousRow = row;
    }
    return previousRow[target.length()];
  }
}
