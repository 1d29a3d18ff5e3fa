package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An embedded server that takes 10 ms for each response, and a manager of this process that is
 * connected to it.
 *
 * @param folder temporary directory, removed by {@link #close}
 * @param manager not started
 */
record SlowCluster(Path folder, ApiServer server, SlowNetwork network, ControllerManager manager)
    implements AutoCloseable {
  private static final long ROUND_TRIP_NANOS = 10_000_000;

  static SlowCluster create(Path folder, List<String> flags) throws Exception {
    ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    SlowNetwork network = new SlowNetwork(URI.create(server.url()).getPort(), ROUND_TRIP_NANOS);
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"), server.kubeconfig().replace(server.url(), network.url()));
    List<String> allFlags = new ArrayList<>(List.of("--leader-elect=false"));
    allFlags.addAll(flags);
    Path plugins =
        Path.of(System.getProperty("mooring.plugins", "controller-manager/target/mooring/plugins"));
    return new SlowCluster(
        folder,
        server,
        network,
        RunFlags.manager(
            allFlags, plugins, KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench")));
  }

  @Override
  public void close() throws IOException {
    try {
      manager.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    network.close();
    server.close();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
