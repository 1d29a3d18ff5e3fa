package dev.mooring.benchmarks;

import java.util.List;

/** Numbers of objects to run a benchmark with, one run for each. */
final class SizeArguments {
  private SizeArguments() {}

  /**
   * Parses the sizes that follow an option.
   *
   * @return empty if there are none: the benchmark uses its defaults
   * @throws IllegalArgumentException if an argument is not a positive number
   */
  static int[] of(String option, List<String> arguments) {
    return arguments.stream()
        .filter(argument -> !argument.equals(option))
        .mapToInt(text -> parseSize(option, text))
        .toArray();
  }

  private static int parseSize(String option, String text) {
    try {
      int size = Integer.parseInt(text);
      if (size > 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        option
            + " takes positive numbers separated by blanks, for example '1000 10000', was '"
            + text
            + "'");
  }
}
