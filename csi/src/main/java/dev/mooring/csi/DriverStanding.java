package dev.mooring.csi;

import java.util.List;

/**
 * How a driver is.
 *
 * @param name its name
 * @param version its version, as it says itself; "" while it is not ready
 * @param abilities what it can do; nothing while it is not ready
 * @param problem why it is not ready; "" if it is
 * @param failedCalls calls that it answered with an error
 */
public record DriverStanding(
    String name, String version, List<String> abilities, String problem, long failedCalls) {
  /** Copies the list. */
  public DriverStanding {
    abilities = List.copyOf(abilities);
  }

  /** Whether it is used. */
  public boolean isReady() {
    return problem.isEmpty();
  }
}
