package dev.mooring.benchmarks;

import java.util.List;

/** How many of something a benchmark is run with, one run for each. */
final class Sizes {
  private Sizes() {}

  /**
   * What stands on the command line besides the option.
   *
   * @return none if nothing does: the benchmark has its own
   * @throws IllegalArgumentException if something is no size; says what is wrong
   */
  static int[] of(String option, List<String> arguments) {
    return arguments.stream()
        .filter(argument -> !argument.equals(option))
        .mapToInt(text -> size(option, text))
        .toArray();
  }

  private static int size(String option, String text) {
    try {
      int size = Integer.parseInt(text);
      if (size > 0) {
        return size;
      }
    } catch (NumberFormatException none) {
      // said below
    }
    throw new IllegalArgumentException(
        option + " takes sizes with blanks between them, such as '1000 10000', was '" + text + "'");
  }
}
