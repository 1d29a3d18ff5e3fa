package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class ConsoleOptions {
  private static final String EXAMPLE = "127.0.0.1:10288";

  @Option(
      names = "--console",
      paramLabel = "HOST:PORT",
      description =
          "Address of a read-only web console that shows what is waiting and why. Other addresses than loopback require --tls-cert-file and --tls-private-key-file. The API server then authorizes each user: 'get' on the path /console/*. Example: 127.0.0.1:8081. Default: no console.")
  private @Nullable String console;

  Optional<EndpointConfig> config(TlsOptions tls) throws UsageException {
    return console == null
        ? Optional.empty()
        : Optional.of(
            checked("--console", tls.config(TlsOptions.address("--console", console, EXAMPLE))));
  }

  /** Rejects an address that other machines can reach, unless TLS can authenticate users. */
  static EndpointConfig checked(String flag, EndpointConfig config) throws UsageException {
    if (!config.address().getAddress().isLoopbackAddress() && config.files().isEmpty()) {
      throw new InvalidFlagException(
          "%s %s:%d is reachable from other machines: specify --tls-cert-file and --tls-private-key-file too, or a loopback address such as %s"
              .formatted(
                  flag, config.address().getHostString(), config.address().getPort(), EXAMPLE));
    }
    return config;
  }
}
