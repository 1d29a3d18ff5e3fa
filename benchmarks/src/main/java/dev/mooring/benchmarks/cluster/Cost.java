package dev.mooring.benchmarks.cluster;

import com.google.gson.JsonObject;

/**
 * What a server and the network bear for a contender's work. Not a number is what nobody could
 * count.
 *
 * @param requests how many it sent for a unit, but watches
 * @param kib how much went to and fro for a unit
 * @param conflicts how many of its changes were refused because somebody had been first, all in all
 */
record Cost(double requests, double kib, double conflicts) {
  static final Cost UNKNOWN = new Cost(Double.NaN, Double.NaN, Double.NaN);

  String line() {
    return "%9s %9s %9s"
        .formatted(text("%.2f", requests), text("%.1f", kib), text("%.0f", conflicts));
  }

  private static String text(String format, double figure) {
    return Double.isNaN(figure) ? "-" : format.formatted(figure);
  }

  void addTo(JsonObject json) {
    add(json, "requestsPerUnit", requests);
    add(json, "kibPerUnit", kib);
    add(json, "conflicts", conflicts);
  }

  private static void add(JsonObject json, String name, double figure) {
    if (!Double.isNaN(figure)) {
      json.addProperty(name, figure);
    }
  }
}
