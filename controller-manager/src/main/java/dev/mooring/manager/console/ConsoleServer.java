package dev.mooring.manager.console;

import dev.mooring.console.Console;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.Endpoints;
import dev.mooring.time.Time;
import java.io.IOException;
import java.util.function.Supplier;

/** A console that answers. */
public final class ConsoleServer {
  private final WatchedCluster cluster;
  private final Console console;
  private final Endpoints endpoints;
  private final String scheme;

  private ConsoleServer(
      WatchedCluster cluster, Console console, Endpoints endpoints, String scheme) {
    this.cluster = cluster;
    this.console = console;
    this.endpoints = endpoints;
    this.scheme = scheme;
  }

  /**
   * Begins to follow the cluster and to answer; whatever is asked before the cluster has been read
   * is told so.
   *
   * @param connection asked who may look, where that is to be asked
   * @param notReady why the process is not ready, "" when it is
   * @throws IOException if the address is taken, or a file of the configuration cannot be used
   */
  public static ConsoleServer start(
      EndpointConfig config,
      WatchedCluster cluster,
      KubeConnection connection,
      Supplier<String> notReady,
      Time time)
      throws IOException {
    Console console = new Console(cluster, time);
    Endpoints endpoints =
        Endpoints.ofPages(
            config, notReady, new ConsolePages(console), new SubjectReviews(connection), time);
    cluster.start();
    console.start();
    return new ConsoleServer(
        cluster, console, endpoints, config.speaksTls() ? "https://" : "http://");
  }

  /** Its address in a browser. */
  public String url() {
    String host = endpoints.address().getAddress().getHostAddress().replaceFirst("%.*", "");
    return scheme
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + endpoints.address().getPort()
        + Console.ROOT;
  }

  /** Ends. */
  public void stop() throws InterruptedException {
    endpoints.stop();
    console.stop();
    cluster.stop();
  }
}
