package dev.mooring.benchmarks.cluster;

import com.google.gson.JsonObject;

/**
 * Load on the server and the network per contender. NaN means that it could not be counted.
 *
 * @param requests requests per unit, without watches
 * @param kib KiB per unit in both directions
 * @param conflicts total of writes that the server rejected with a conflict
 */
record ServerCost(double requests, double kib, double conflicts) {
  static final ServerCost UNKNOWN = new ServerCost(Double.NaN, Double.NaN, Double.NaN);

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
