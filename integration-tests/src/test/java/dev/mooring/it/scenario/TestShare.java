package dev.mooring.it.scenario;

import java.util.List;
import java.util.stream.IntStream;

/** Selects a share of test cases, so that the ordinary build stays fast. */
final class TestShare {
  private TestShare() {}

  /**
   * Returns every n-th case without {@code -Dmooring.scenarios}, else all.
   *
   * @param n at least 1
   */
  static List<String> of(List<String> cases, int n) {
    return System.getProperty("mooring.scenarios", "").isEmpty()
        ? IntStream.range(0, cases.size())
            .filter(number -> number % n == 0)
            .mapToObj(cases::get)
            .toList()
        : cases;
  }
}
