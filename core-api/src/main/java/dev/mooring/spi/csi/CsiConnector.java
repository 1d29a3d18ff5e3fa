package dev.mooring.spi.csi;

import java.time.Duration;

/**
 * Connects to CSI drivers. Found by ServiceLoader, as plugins are; of all that are loaded one at
 * most may be there. Thread-safe.
 */
public interface CsiConnector {
  /**
   * A connection, which need not be up: it connects when it is used, again and again.
   *
   * @param endpoint where the driver listens, for example {@code unix:///run/csi/socket}
   * @param timeout how long a call may take before it counts as {@link
   *     StatusCode#DEADLINE_EXCEEDED}
   * @throws IllegalArgumentException if the endpoint is not one; the message names it and the
   *     remedy
   */
  CsiConnection connect(String endpoint, Duration timeout);
}
