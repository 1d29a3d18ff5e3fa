package dev.mooring.model.migration;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

final class ZoneRegions {
  private ZoneRegions() {}

  static Optional<String> ofGce(List<String> zones) {
    return findCommonRegion(
        zones,
        segments ->
            segments.length == 3 ? Optional.of(segments[0] + "-" + segments[1]) : Optional.empty());
  }

  /**
   * Supports zones such as {@code us-west-2a} and {@code us-gov-east-1a}, local zones and carrier
   * zones.
   */
  static Optional<String> ofAws(List<String> zones) {
    return findCommonRegion(
        zones,
        segments -> {
          String lastSegment = segments[segments.length - 1];
          if ((segments.length == 3 || segments.length == 4) && lastSegment.length() == 2) {
            String[] region = segments.clone();
            region[segments.length - 1] = lastSegment.substring(0, 1);
            return Optional.of(String.join("-", region));
          }
          return segments.length == 5 || segments.length == 7
              ? Optional.of(String.join("-", Arrays.copyOf(segments, 3)))
              : Optional.empty();
        });
  }

  private static Optional<String> findCommonRegion(
      List<String> zones, Function<String[], Optional<String>> regionOf) {
    TreeSet<String> regions = new TreeSet<>();
    for (String zone : zones) {
      Optional<String> region = regionOf.apply(zone.split("-", -1));
      if (region.isEmpty()) {
        return Optional.empty();
      }
      regions.add(region.get());
    }
    return regions.size() == 1 ? Optional.of(regions.first()) : Optional.empty();
  }
}
