package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
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

  @Mixin private final TlsOptions tls = new TlsOptions();

  /** Whether any port will do if the default one is taken. */
  boolean anyPort() {
    return endpoints == null;
  }

  /** Empty for nowhere. */
  Optional<EndpointConfig> config() throws UsageException {
    String wanted = endpoints == null ? DEFAULT_ENDPOINTS : endpoints;
    return wanted.equals("off")
        ? Optional.empty()
        : Optional.of(
            tls.config(TlsOptions.address("--endpoints", wanted, "127.0.0.1:10277, or off")));
  }

  /** How whatever this process answers is protected. */
  TlsOptions tls() {
    return tls;
  }
}
