package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.EndpointConfig.KeyFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where and how health and metrics are answered; names are kube-controller-manager's. */
final class EndpointOptions {
  private static final String DEFAULT_ENDPOINTS = "127.0.0.1:10277";

  @Option(
      names = "--endpoints",
      paramLabel = "HOST:PORT",
      description =
          "Where /healthz /livez /readyz /metrics are answered, or 'off'. Beyond loopback by TLS only, and metrics only to whom the API server lets 'get' the path /metrics. Default: "
              + DEFAULT_ENDPOINTS
              + " (any port if taken).")
  private @Nullable String endpoints;

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

  EndpointOptions() {}

  /** Whether any port will do if the default one is taken. */
  boolean anyPort() {
    return endpoints == null;
  }

  /** Empty for nowhere. */
  Optional<EndpointConfig> config() throws UsageException {
    if ((certificate == null) != (key == null)) {
      throw new UsageException(
          "--tls-cert-file and --tls-private-key-file belong together: name both or none");
    }
    Optional<InetSocketAddress> address =
        address(endpoints == null ? DEFAULT_ENDPOINTS : endpoints);
    if (address.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new EndpointConfig(
            address.get(),
            certificate == null || key == null
                ? Optional.empty()
                : Optional.of(new KeyFiles(certificate, key)),
            Optional.ofNullable(clientAuthority)));
  }

  private static Optional<InetSocketAddress> address(String wanted) throws UsageException {
    if (wanted.equals("off")) {
      return Optional.empty();
    }
    int colon = wanted.lastIndexOf(':');
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              wanted.substring(0, Math.max(0, colon)),
              Integer.parseInt(wanted.substring(colon + 1)));
      if (colon >= 1 && !address.isUnresolved()) {
        return Optional.of(address);
      }
    } catch (IllegalArgumentException said) {
      // below
    }
    throw new UsageException(
        "--endpoints "
            + wanted
            + " is not an address: name HOST:PORT, for example 127.0.0.1:10277, or off");
  }
}
