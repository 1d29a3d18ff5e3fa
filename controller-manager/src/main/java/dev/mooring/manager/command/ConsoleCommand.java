package dev.mooring.manager.command;

import dev.mooring.explain.NamedFact;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.console.ConsoleServer;
import dev.mooring.manager.console.FrugalHeap;
import dev.mooring.manager.console.WatchedCluster;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.HttpLimits;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.manager.lifecycle.StopRequest;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.thread.FatalErrors;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "console",
    description =
        "Serves a live web page that shows what is waiting in a cluster and why. Works with any cluster, runs no controllers, and writes nothing.",
    mixinStandardHelpOptions = true)
public final class ConsoleCommand implements Callable<Integer> {
  private static final String USUAL = "127.0.0.1:10288";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Address of the console. Other addresses than loopback require --tls-cert-file and --tls-private-key-file. The API server then authorizes each user: 'get' on the path /console/*. Default: "
              + USUAL
              + ", or another port if it is in use.")
  private @Nullable String listen;

  @Mixin private final TlsOptions tls = new TlsOptions();
  @Mixin private final ReadOnlyOptions options = new ReadOnlyOptions();
  private final SystemTime time = new SystemTime();

  public ConsoleCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    FatalErrors.install();
    HttpLimits.set();
    EndpointConfig config =
        ConsoleOptions.checked(
            "--listen",
            tls.config(TlsOptions.address("--listen", listen == null ? USUAL : listen, USUAL)));
    KubeConnection connection = options.connect();
    KubeCluster reader = KubeCluster.alone(connection, time);
    FrugalHeap.collectOnGrowth();
    try (connection;
        LazyPlugins lazy = options.plugins()) {
      WatchedCluster watched =
          new WatchedCluster(
              new WatchedCluster.Source(connection, reader, new KubeEvents(reader), lazy, time),
              new WatchedCluster.Process(options.compat(), ConsoleCommand::facts, () -> ""),
              List.of());
      return show(config, watched, connection);
    }
  }

  private static List<NamedFact> facts() {
    return List.of(
        new NamedFact("process", "Command", "mooring console"),
        new NamedFact("process", "Controllers", "none in this process"));
  }

  private int show(EndpointConfig config, WatchedCluster watched, KubeConnection connection)
      throws IOException, InterruptedException {
    ConsoleServer server = started(config, watched, connection);
    StopRequest request = new StopRequest();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(request::requestAndWait));
    request.started();
    try {
      System.out.println("mooring: console at " + server.url() + " (Ctrl-C to stop)");
      String problem = connection.probe();
      if (!problem.isEmpty()) {
        System.err.println("mooring: " + problem + "; the console shows what can be read");
      }
      request.await();
      return 0;
    } finally {
      try {
        server.stop();
        time.close();
      } finally {
        request.fulfilled();
      }
    }
  }

  private ConsoleServer started(
      EndpointConfig config, WatchedCluster watched, KubeConnection connection) throws IOException {
    try {
      return ConsoleServer.start(config, watched, connection, () -> "", time);
    } catch (BindException e) {
      if (listen == null) {
        return ConsoleServer.start(config.atAnyPort(), watched, connection, () -> "", time);
      }
      throw new IOException(
          "--listen %s cannot be bound (%s): specify another address"
              .formatted(listen, e.getMessage()),
          e);
    }
  }
}
