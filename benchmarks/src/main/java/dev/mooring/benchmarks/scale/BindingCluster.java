package dev.mooring.benchmarks.scale;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.kinds.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.benchmarks.PollingWait;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of the comparison: a server that takes 10 ms for each response, and a manager that
 * binds its claims. It is idle between bursts.
 */
final class BindingCluster implements AutoCloseable {
  private static final long ROUND_TRIP_NANOS = 10_000_000;
  private static final double NANOS = 1e9;
  private static final PollingWait POLL = PollingWait.of(2, 60);

  /** Idle time after which all delayed writes are done: audit lines wait for at most 100 ms. */
  private static final long SETTLED_MILLIS = 250;

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /**
   * Cost of a burst.
   *
   * @param seconds from the creation of the first claim until the last is bound
   * @param processor seconds of CPU time, including server and network, until all delayed work is
   *     done
   * @param bytes bytes allocated until then
   */
  record BurstCost(double seconds, double processor, long bytes) {}

  private final Path folder;
  private final ApiServer server;
  private final SlowNetwork network;
  private final ControllerManager manager;
  private final @Nullable HttpClient reader;
  private int claimCount;

  private BindingCluster(
      Path folder,
      ApiServer server,
      SlowNetwork network,
      ControllerManager manager,
      @Nullable HttpClient reader) {
    this.folder = folder;
    this.server = server;
    this.network = network;
    this.manager = manager;
    this.reader = reader;
  }

  /**
   * Starts a server and a manager.
   *
   * @param parts enabled parts: {@code condition}, {@code audit}, {@code metrics}
   */
  static BindingCluster start(Set<String> parts) throws Exception {
    Path folder = Files.createTempDirectory("mooring-observed");
    ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    SlowNetwork network = new SlowNetwork(URI.create(server.url()).getPort(), ROUND_TRIP_NANOS);
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"), server.kubeconfig().replace(server.url(), network.url()));
    ControllerManager manager =
        RunFlags.manager(
            flags(parts, folder),
            Path.of(
                System.getProperty("mooring.plugins", "controller-manager/target/mooring/plugins")),
            KubeConnection.ofFiles(List.of(kubeconfig), "", "bench"));
    manager.start();
    return new BindingCluster(
        folder,
        server,
        network,
        manager,
        parts.contains("metrics") ? HttpClient.newHttpClient() : null);
  }

  private static List<String> flags(Set<String> parts, Path folder) {
    List<String> flags = new ArrayList<>(List.of("--leader-elect=false"));
    flags.add("--endpoints=" + (parts.contains("metrics") ? "127.0.0.1:0" : "off"));
    if (parts.contains("condition")) {
      flags.add("--claim-condition");
    }
    if (parts.contains("audit")) {
      flags.add("--audit-log=" + folder.resolve("audit.log"));
    }
    return flags;
  }

  BurstCost burst(int claims) throws Exception {
    int first = claimCount;
    claimCount += claims;
    for (int i = first; i < claimCount; i++) {
      create(
          KindCatalogue.VOLUMES,
          "",
          """
          {"metadata": {"name": "v-%d"}, "spec": {"capacity": {"storage": "%dMi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
          """
              .formatted(i, 2 * i + 1)); // odd: already in canonical form
    }
    for (int i = first; i < claimCount; i++) {
      await(KindCatalogue.VOLUMES, "v-" + i, "Available");
    }
    settle();
    double processor = processor();
    long bytes = THREADS.getTotalThreadAllocatedBytes();
    long began = System.nanoTime();
    for (int i = first; i < claimCount; i++) {
      create(
          KindCatalogue.CLAIMS,
          "default",
          """
          {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%dMi"}}}}
          """
              .formatted(i, 2 * i + 1));
    }
    Thread reading = Thread.ofVirtual().start(this::readMetrics);
    for (int i = first; i < claimCount; i++) { // claims are bound roughly in this order
      await(KindCatalogue.CLAIMS, "c-" + i, "Bound");
    }
    long ended = System.nanoTime();
    reading.join();
    settle();
    return new BurstCost(
        (ended - began) / NANOS,
        processor() - processor,
        THREADS.getTotalThreadAllocatedBytes() - bytes);
  }

  private static double processor() {
    return SYSTEM.getProcessCpuTime() / NANOS;
  }

  private void settle() throws InterruptedException {
    POLL.until("the manager does not become idle", manager::isIdle);
    Thread.sleep(SETTLED_MILLIS);
  }

  /**
   * Reads the metrics once per burst, which is about once a second; Prometheus reads every 15 s.
   */
  private void readMetrics() {
    if (reader == null) {
      return;
    }
    URI metrics = URI.create("http://127.0.0.1:" + manager.port() + "/metrics");
    try {
      int code =
          reader
              .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.discarding())
              .statusCode();
      if (code != 200) {
        throw new IllegalStateException("metrics answer " + code);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the metrics", e);
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private void create(ResourceType type, String namespace, String json) throws StatusException {
    server
        .handlers()
        .create(
            type, namespace, JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private void await(ResourceType type, String name, String phase) throws Exception {
    String namespace = type == KindCatalogue.CLAIMS ? "default" : "";
    POLL.until(
        name + " does not become " + phase,
        () -> isIn(server.handlers().get(type, namespace, name), phase));
  }

  private static boolean isIn(StoredObject object, String phase) {
    return object.tree().get("status") instanceof JsonObject status
        && status.has("phase")
        && status.get("phase").getAsString().equals(phase);
  }

  long writes() {
    return manager.cluster().writes();
  }

  long conflicts() {
    return manager.cluster().conflicts();
  }

  @Override
  public void close() throws IOException {
    try {
      manager.stop();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
    network.close();
    server.close();
    if (reader != null) {
      reader.close();
    }
    try (Stream<Path> left = Files.list(folder)) {
      for (Path file : left.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
