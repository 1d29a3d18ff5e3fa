package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.EndpointConfig.KeyFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class TlsOptions {
  @Option(
      names = "--tls-cert-file",
      paramLabel = "FILE",
      description =
          "Server certificate of the endpoints (PEM, with its chain). Reloaded when the file changes. Default: a self-signed certificate, on other addresses than loopback.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-private-key-file",
      paramLabel = "FILE",
      description = "Private key (PEM) of --tls-cert-file.")
  private @Nullable Path key;

  @Option(
      names = "--client-ca-file",
      paramLabel = "FILE",
      description =
          "CA certificates (PEM) for client certificates: the common name is the user, the organizations are the groups. Reloaded when the file changes. Also requires credentials on loopback. Default: authentication by bearer tokens only.")
  private @Nullable Path clientAuthority;

  EndpointConfig config(InetSocketAddress address) throws UsageException {
    if ((certificate == null) != (key == null)) {
      throw new InvalidFlagException(
          "--tls-cert-file and --tls-private-key-file require each other: specify both or none");
    }
    return new EndpointConfig(
        address,
        certificate == null || key == null
            ? Optional.empty()
            : Optional.of(new KeyFiles(certificate, key)),
        Optional.ofNullable(clientAuthority));
  }

  static InetSocketAddress address(String flag, String text, String example) throws UsageException {
    int colon = text.lastIndexOf(':');
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
      if (colon >= 1 && !address.isUnresolved()) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw new InvalidFlagException(
        flag + " " + text + " is not an address: specify HOST:PORT, for example " + example);
  }
}
