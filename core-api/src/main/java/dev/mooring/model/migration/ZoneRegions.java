package dev.mooring.model.migration;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

final class ZoneRegions {
  private ZoneRegions() {}

  static Optional<String> ofGce(List<String> zones) {
    return one(
        zones,
        parts -> parts.length == 3 ? Optional.of(parts[0] + "-" + parts[1]) : Optional.empty());
  }

  /**
   * Supports zones such as {@code us-west-2a} and {@code us-gov-east-1a}, local zones and carrier
   * zones.
   */
  static Optional<String> ofAws(List<String> zones) {
    return one(
        zones,
        parts -> {
          String last = parts[parts.length - 1];
          if ((parts.length == 3 || parts.length == 4) && last.length() == 2) {
            String[] region = parts.clone();
            region[parts.length - 1] = last.substring(0, 1);
            return Optional.of(String.join("-", region));
          }
          return parts.length == 5 || parts.length == 7
              ? Optional.of(String.join("-", Arrays.copyOf(parts, 3)))
              : Optional.empty();
        });
  }

  private static Optional<String> one(
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
