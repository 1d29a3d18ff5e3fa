package dev.mooring.apiserver.http.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

public record AcceptRange(List<String> parts, double quality) {
  private static final String QUALITY = "q=(0(\\.\\d*)?|1(\\.0*)?)";

  private static AcceptRange of(String text) {
    List<String> parts = Arrays.stream(text.split(";")).map(String::strip).toList();
    double quality =
        parts.stream()
            .filter(part -> part.matches(QUALITY))
            .mapToDouble(part -> Double.parseDouble(part.substring(2)))
            .findFirst()
            .orElse(1);
    return new AcceptRange(parts, quality);
  }

  public String type() {
    return parts.getFirst();
  }

  private boolean isAnyType() {
    return type().startsWith("*");
  }

  private boolean isAnySubtype() {
    return type().endsWith("*");
  }

  /** Returns the ranges of a header by descending quality; wildcards come last among equals. */
  public static List<AcceptRange> sorted(String accept) {
    List<AcceptRange> ranges = new ArrayList<>();
    for (String range : accept.split(",")) {
      ranges.add(of(range));
    }
    ranges.sort(
        Comparator.comparing(AcceptRange::quality, Comparator.reverseOrder())
            .thenComparing(AcceptRange::isAnyType)
            .thenComparing(AcceptRange::isAnySubtype));
    return ranges;
  }
}
