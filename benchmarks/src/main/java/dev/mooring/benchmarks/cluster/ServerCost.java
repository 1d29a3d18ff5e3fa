package dev.mooring.benchmarks.cluster;

/**
 * Load on the server and the network per contender. NaN means that it could not be counted.
 *
 * @param requests requests per unit, without watches
 * @param kib KiB per unit in both directions
 * @param conflicts total of writes that the server rejected with a conflict
 */
record ServerCost(double requests, double kib, double conflicts) {
  static final ServerCost UNKNOWN = new ServerCost(Double.NaN, Double.NaN, Double.NaN);
}
