package dev.mooring.manager.endpoint;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Configuration of an HTTP endpoint.
 *
 * @param address port 0 selects a free port
 * @param files server certificate; empty for no TLS on loopback, and for a self-signed certificate
 *     elsewhere
 * @param clientAuthority CA certificates of client certificates; empty to accept none. If present,
 *     credentials are required on loopback too
 */
public record EndpointConfig(
    InetSocketAddress address, Optional<KeyFiles> files, Optional<Path> clientAuthority) {
  /**
   * Certificate and private key in PEM; reloaded when they change.
   *
   * @param certificate the certificate with its chain
   * @param key the unencrypted key
   */
  public record KeyFiles(Path certificate, Path key) {}

  public EndpointConfig atAnyPort() {
    return new EndpointConfig(
        new InetSocketAddress(address.getAddress(), 0), files, clientAuthority);
  }

  /**
   * Returns whether clients must authenticate: if other machines can reach the address, or if
   * client certificates are configured.
   */
  public boolean requiresCredentials() {
    return !address.getAddress().isLoopbackAddress() || clientAuthority.isPresent();
  }

  public boolean usesTls() {
    return requiresCredentials() || files.isPresent();
  }
}
