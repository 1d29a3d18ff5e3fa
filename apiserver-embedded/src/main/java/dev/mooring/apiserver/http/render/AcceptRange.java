package dev.mooring.apiserver.http.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

public record AcceptRange(List<String> elements, double quality) {
  private static final String QUALITY = "q=(0(\\.\\d*)?|1(\\.0*)?)";

  private static AcceptRange parse(String text) {
    List<String> elements = Arrays.stream(text.split(";")).map(String::strip).toList();
    double quality =
        elements.stream()
            .filter(element -> element.matches(QUALITY))
            .mapToDouble(element -> Double.parseDouble(element.substring(2)))
            .findFirst()
            .orElse(1);
    return new AcceptRange(elements, quality);
  }

  public String getType() {
    return elements.getFirst();
  }

  private boolean isAnyType() {
    return getType().startsWith("*");
  }

  private boolean isAnySubtype() {
    return getType().endsWith("*");
  }

  /** Returns the ranges of a header by descending quality; wildcards come last among equals. */
  public static List<AcceptRange> parseSorted(String accept) {
    List<AcceptRange> ranges = new ArrayList<>();
    for (String range : accept.split(",")) {
      ranges.add(parse(range));
    }
    ranges.sort(
        Comparator.comparing(AcceptRange::quality, Comparator.reverseOrder())
            .thenComparing(AcceptRange::isAnyType)
            .thenComparing(AcceptRange::isAnySubtype));
    return ranges;
  }
}
