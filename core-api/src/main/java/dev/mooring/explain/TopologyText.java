package dev.mooring.explain;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

public final class TopologyText {
  private TopologyText() {}

  /**
   * Describes terms of which one must match, for example "zone in [a, b], or zone in [c]".
   *
   * @param terms values by label key
   */
  public static String describe(List<Map<String, List<String>>> terms) {
    return terms.stream()
        .map(term ->
            new TreeMap<>(term)
                .entrySet().stream()
                    .map(expression -> expression.getKey() + " in " + expression.getValue())
                    .collect(Collectors.joining(" and ")))
        .collect(Collectors.joining(", or "));
  }
}
