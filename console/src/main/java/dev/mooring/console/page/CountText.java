package dev.mooring.console.page;

import dev.mooring.console.view.ConsoleSection;
import java.util.List;
import java.util.Locale;

final class CountText {
  private CountText() {}

  static String count(long number, String singular, String plural) {
    return "%,d %s".formatted(number, number == 1 ? singular : plural);
  }

  static String count(long number, ConsoleSection section) {
    return count(number, section.singular().toLowerCase(Locale.ROOT), section.path());
  }

  /** Returns the number of matches, and the total if it differs: {@code 3 of 70 claims}. */
  static String countOf(long number, long total, ConsoleSection section) {
    return number == total
        ? count(total, section)
        : "%,d of %s".formatted(number, count(total, section));
  }

  static String join(List<String> texts) {
    return texts.size() < 2
        ? String.join("", texts)
        : String.join(", ", texts.subList(0, texts.size() - 1)) + " and " + texts.getLast();
  }
}
