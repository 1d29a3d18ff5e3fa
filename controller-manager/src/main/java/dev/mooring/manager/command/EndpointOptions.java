package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.lifecycle.ManagerConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class EndpointOptions {
  private static final String DEFAULT_ENDPOINTS = "127.0.0.1:10277";

  @Option(
      names = "--endpoints",
      paramLabel = "HOST:PORT",
      description =
          "Address of /healthz, /livez, /readyz and /metrics, or 'off'. Other addresses than loopback require TLS. The API server then authorizes metrics: 'get' on the path /metrics. Default: "
              + DEFAULT_ENDPOINTS
              + ", or another port if it is in use.")
  private @Nullable String endpoints;

  @Mixin private final TlsOptions tls = new TlsOptions();

  /**
   * Returns the configuration of a process that only observes, with the addresses that the user
   * specified. To authorize users, a process creates reviews, so the addresses must be loopback.
   */
  ManagerConfig observing(ManagerConfig config) throws UsageException {
    checkLoopback("--console", config.console());
    if (endpoints == null) {
      return config.observing(Optional.empty(), config.console());
    }
    checkLoopback("--endpoints", config.endpoints());
    return config.observing(config.endpoints(), config.console());
  }

  private static void checkLoopback(String flag, Optional<EndpointConfig> address)
      throws UsageException {
    if (address.filter(EndpointConfig::requiresCredentials).isPresent()) {
      throw new InvalidFlagException(
          flag
              + ": a process that writes nothing cannot authorize users: specify a loopback address");
    }
  }

  boolean anyPort() {
    return endpoints == null;
  }

  Optional<EndpointConfig> config() throws UsageException {
    String address = endpoints == null ? DEFAULT_ENDPOINTS : endpoints;
    return address.equals("off")
        ? Optional.empty()
        : Optional.of(
            tls.config(TlsOptions.address("--endpoints", address, "127.0.0.1:10277, or off")));
  }

  TlsOptions tls() {
    return tls;
  }
}
