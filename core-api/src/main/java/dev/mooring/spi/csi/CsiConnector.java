package dev.mooring.spi.csi;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Creates connections to CSI drivers. The host finds it through ServiceLoader, like a plugin; at
 * most one may be installed. Thread-safe.
 */
public interface CsiConnector {
  /**
   * Returns a connection that connects, and reconnects, when it is used.
   *
   * @param endpoint address of the driver, for example {@code unix:///run/csi/socket}; TCP without
   *     TLS is allowed on the local machine only, for example {@code tcp://127.0.0.1:10000}
   * @param timeout maximum duration of a call, after which it ends with {@link
   *     StatusCode#DEADLINE_EXCEEDED}
   * @throws IllegalArgumentException if the endpoint is invalid; the message names it and the
   *     remedy
   */
  CsiConnection connect(String endpoint, Duration timeout);

  /**
   * Returns a connection with mutual TLS.
   *
   * @param endpoint address of the driver, for example {@code tcp://driver.example:10000}
   * @param tls certificates of both sides; ignored for a unix socket
   * @param timeout maximum duration of a call
   * @throws IllegalArgumentException if the endpoint or a certificate is invalid; the message names
   *     it and the remedy
   */
  default CsiConnection connect(String endpoint, Tls tls, Duration timeout) {
    throw new IllegalArgumentException(
        "CSI endpoint \"%s\": the installed CSI bridge does not support TLS; install a newer one"
            .formatted(endpoint));
  }

  /**
   * TLS files, all PEM. The connector reloads a changed file within seconds and uses it for new
   * connections.
   *
   * @param authority certificates of the authorities that sign the driver's certificate
   * @param certificate the host's certificate and its intermediate certificates
   * @param key private key of the host's certificate, as PKCS#8
   * @param serverName name in the driver's certificate; "" for the endpoint's host name
   */
  record Tls(Path authority, Path certificate, Path key, String serverName) {}
}
