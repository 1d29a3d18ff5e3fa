package dev.mooring.spi.csi;

import java.util.Map;

/**
 * Credentials for one call. {@link #toString} does not reveal them.
 *
 * @param values values by key
 */
public record DriverSecrets(Map<String, String> values) {
  /** Empty credentials. */
  public static final DriverSecrets NONE = new DriverSecrets(Map.of());

  @Override
  public String toString() {
    return values.isEmpty() ? "none" : "***stripped***";
  }
}
