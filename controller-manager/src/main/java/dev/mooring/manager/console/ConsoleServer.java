package dev.mooring.manager.console;

import dev.mooring.console.Console;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.EndpointServer;
import dev.mooring.time.Time;
import java.io.IOException;
import java.util.function.Supplier;

/** HTTP server of the console. */
public final class ConsoleServer {
  private final WatchedCluster cluster;
  private final Console console;
  private final EndpointServer endpoints;
  private final String scheme;

  private ConsoleServer(
      WatchedCluster cluster, Console console, EndpointServer endpoints, String scheme) {
    this.cluster = cluster;
    this.console = console;
    this.endpoints = endpoints;
    this.scheme = scheme;
  }

  /**
   * Starts to watch the cluster and to serve. Pages report that the cluster is still being read
   * until the lists are complete.
   *
   * @param connection authenticates and authorizes users, unless the address is loopback
   * @param notReady why the process is not ready; "" when it is
   * @throws IOException if the address is in use, or a file of the configuration is invalid
   */
  public static ConsoleServer start(
      EndpointConfig config,
      WatchedCluster cluster,
      KubeConnection connection,
      Supplier<String> notReady,
      Time time)
      throws IOException {
    Console console = new Console(cluster, time);
    EndpointServer endpoints =
        EndpointServer.ofPages(
            config, notReady, new ConsolePages(console), new SubjectReviews(connection), time);
    cluster.start();
    console.start();
    return new ConsoleServer(
        cluster, console, endpoints, config.usesTls() ? "https://" : "http://");
  }

  public String url() {
    String host = endpoints.address().getAddress().getHostAddress().replaceFirst("%.*", "");
    return scheme
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + endpoints.address().getPort()
        + Console.ROOT;
  }

  public void stop() throws InterruptedException {
    endpoints.stop();
    console.stop();
    cluster.stop();
  }
}
