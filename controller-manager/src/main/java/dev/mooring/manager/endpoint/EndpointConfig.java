package dev.mooring.manager.endpoint;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where health and metrics are answered, and how.
 *
 * @param address where; port 0 for any that is free
 * @param files the certificate that is shown; empty for none, or for one of its own where it has to
 *     be one
 * @param clientAuthority the certificates of those who sign clients' certificates; empty for no
 *     clients that are known by a certificate. Where it is there, credentials are asked for on
 *     loopback too
 */
public record EndpointConfig(
    InetSocketAddress address, Optional<KeyFiles> files, Optional<Path> clientAuthority) {
  /**
   * A certificate and its private key, in PEM; read again when they change.
   *
   * @param certificate the certificate, followed by those that signed it
   * @param key the key, not encrypted
   */
  public record KeyFiles(Path certificate, Path key) {}

  /** The same at any port that is free. */
  public EndpointConfig atAnyPort() {
    return new EndpointConfig(
        new InetSocketAddress(address.getAddress(), 0), files, clientAuthority);
  }

  /**
   * Whether it asks who somebody is: where others than those on this machine can reach it, and
   * where clients have certificates to show.
   */
  public boolean asksForCredentials() {
    return !address.getAddress().isLoopbackAddress() || clientAuthority.isPresent();
  }

  /** Whether it speaks TLS. */
  public boolean speaksTls() {
    return asksForCredentials() || files.isPresent();
  }
}
