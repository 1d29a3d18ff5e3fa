package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.EndpointConfig.KeyFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * How what this process answers is protected on the way, and by whom clients are known; names are
 * kube-controller-manager's.
 */
final class TlsOptions {
  @Option(
      names = "--tls-cert-file",
      paramLabel = "FILE",
      description =
          "The certificate (PEM, followed by those that signed it) of the endpoints; read again when it changes. Default: beyond loopback, one of its own that nobody has signed.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-private-key-file",
      paramLabel = "FILE",
      description = "The private key (PEM) of --tls-cert-file.")
  private @Nullable Path key;

  @Option(
      names = "--client-ca-file",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of those who sign certificates of clients: the common name is the user, the organizations are the groups. Read again when it changes. With it credentials are asked for on loopback too. Default: clients are known by tokens only.")
  private @Nullable Path clientAuthority;

  /** At that address, so protected. */
  EndpointConfig config(InetSocketAddress address) throws UsageException {
    if ((certificate == null) != (key == null)) {
      throw new WrongFlagException(
          "--tls-cert-file and --tls-private-key-file belong together: name both or none");
    }
    return new EndpointConfig(
        address,
        certificate == null || key == null
            ? Optional.empty()
            : Optional.of(new KeyFiles(certificate, key)),
        Optional.ofNullable(clientAuthority));
  }

  /**
   * Reads an address.
   *
   * @param flag whose value it is
   * @param example what would be right, for the error
   */
  static InetSocketAddress address(String flag, String wanted, String example)
      throws UsageException {
    int colon = wanted.lastIndexOf(':');
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              wanted.substring(0, Math.max(0, colon)),
              Integer.parseInt(wanted.substring(colon + 1)));
      if (colon >= 1 && !address.isUnresolved()) {
        return address;
      }
    } catch (IllegalArgumentException said) {
      // below
    }
    throw new WrongFlagException(
        flag + " " + wanted + " is not an address: name HOST:PORT, for example " + example);
  }
}
