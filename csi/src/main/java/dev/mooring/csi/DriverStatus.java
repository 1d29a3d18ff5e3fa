package dev.mooring.csi;

import java.util.List;

/**
 * State of a driver.
 *
 * @param version version that the driver reports; "" while it is not ready
 * @param abilities its capabilities; empty while it is not ready
 * @param problem why it is not ready; "" if it is
 * @param failedCalls number of calls that ended with an error
 */
public record DriverStatus(
    String name, String version, List<String> abilities, String problem, long failedCalls) {
  public DriverStatus {
    abilities = List.copyOf(abilities);
  }

  public boolean isReady() {
    return problem.isEmpty();
  }
}
