package dev.mooring.spi.csi;

import java.util.Map;

/**
 * Credentials for one call. Their text never shows them.
 *
 * @param values by key
 */
public record Secrets(Map<String, String> values) {
  /** No credentials. */
  public static final Secrets NONE = new Secrets(Map.of());

  @Override
  public String toString() {
    return values.isEmpty() ? "none" : "***stripped***";
  }
}
