package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the page is shown by a process that runs controllers. */
final class ConsoleOptions {
  private static final String EXAMPLE = "127.0.0.1:10288";

  @Option(
      names = "--console",
      paramLabel = "HOST:PORT",
      description =
          "Show a page at that address: what waits and why, live. It only looks. Beyond loopback with --tls-cert-file and --tls-private-key-file alone, and only to whom the API server lets 'get' the path /console/*. Default: no page.")
  private @Nullable String console;

  /** Empty for nowhere. */
  Optional<EndpointConfig> config(TlsOptions tls) throws UsageException {
    return console == null
        ? Optional.empty()
        : Optional.of(
            checked("--console", tls.config(TlsOptions.address("--console", console, EXAMPLE))));
  }

  /** Refuses what others could read without anybody knowing who they are. */
  static EndpointConfig checked(String flag, EndpointConfig config) throws UsageException {
    if (!config.address().getAddress().isLoopbackAddress() && config.files().isEmpty()) {
      throw new WrongFlagException(
          "%s %s:%d can be reached from other machines: name --tls-cert-file and --tls-private-key-file too, or an address of this machine such as %s"
              .formatted(
                  flag, config.address().getHostString(), config.address().getPort(), EXAMPLE));
    }
    return config;
  }
}
