package dev.mooring.spi.csi;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Connects to CSI drivers. Found by ServiceLoader, as plugins are; of all that are loaded one at
 * most may be there. Thread-safe.
 */
public interface CsiConnector {
  /**
   * A connection, which need not be up: it connects when it is used, again and again.
   *
   * @param endpoint where the driver listens, for example {@code unix:///run/csi/socket}, or,
   *     without TLS on this machine only, {@code tcp://127.0.0.1:10000}
   * @param timeout how long a call may take before it counts as {@link
   *     StatusCode#DEADLINE_EXCEEDED}
   * @throws IllegalArgumentException if the endpoint is not one; the message names it and the
   *     remedy
   */
  CsiConnection connect(String endpoint, Duration timeout);

  /**
   * The same, where both sides of a TCP connection have to know each other.
   *
   * @param endpoint where the driver listens, for example {@code tcp://driver.example:10000}
   * @param tls how they know each other; a unix socket needs none
   * @throws IllegalArgumentException if the endpoint is not one, or the certificates cannot be
   *     used; the message names it and the remedy
   */
  default CsiConnection connect(String endpoint, Tls tls, Duration timeout) {
    throw new IllegalArgumentException(
        "CSI endpoint \"" + endpoint + "\": the CSI bridge that is there knows no TLS: replace it");
  }

  /**
   * What TLS needs. All files are PEM, and are read again within seconds after one has changed: new
   * connections use what they hold then.
   *
   * @param authority the certificates of those who vouch for the driver
   * @param certificate our certificate, and those between it and who vouches for it
   * @param key the certificate's private key, as PKCS#8
   * @param serverName the name in the driver's certificate, "" for the endpoint's host
   */
  record Tls(Path authority, Path certificate, Path key, String serverName) {}
}
