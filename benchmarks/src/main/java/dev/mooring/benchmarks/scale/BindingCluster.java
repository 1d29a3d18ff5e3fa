package dev.mooring.benchmarks.scale;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.benchmarks.PollingWait;
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
import org.jspecify.annotations.Nullable;

/**
 * A cluster of the comparison: a server that takes 10 ms for each response, and a manager that
 * binds its claims. It is idle between bursts.
 */
final class BindingCluster implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final PollingWait POLL = PollingWait.of(2, 60);

  // Idle time after which all delayed writes are done: audit lines wait for at most 100 ms.
  private static final long SETTLED_MILLIS = 250;

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /**
   * Cost of a burst.
   *
   * @param seconds from the creation of the first claim until the last is bound
   * @param cpuSeconds seconds of CPU time, including server and network, until all delayed work is
   *     done
   * @param bytes bytes allocated until then
   */
  record BurstCost(double seconds, double cpuSeconds, long bytes) {}

  private final SlowCluster cluster;
  private final ServerObjects objects;
  private final @Nullable HttpClient reader;
  private int claimCount;

  private BindingCluster(SlowCluster cluster, @Nullable HttpClient reader) {
    this.cluster = cluster;
    this.objects = new ServerObjects(cluster.server().handlers());
    this.reader = reader;
  }

  /**
   * Starts a server and a manager.
   *
   * @param features enabled parts: {@code condition}, {@code audit}, {@code metrics}
   */
  static BindingCluster start(Set<String> features) throws Exception {
    Path folder = Files.createTempDirectory("mooring-observed");
    SlowCluster cluster = SlowCluster.create(folder, flags(features, folder));
    cluster.manager().start();
    return new BindingCluster(
        cluster, features.contains("metrics") ? HttpClient.newHttpClient() : null);
  }

  private static List<String> flags(Set<String> features, Path folder) {
    List<String> flags = new ArrayList<>();
    flags.add("--endpoints=" + (features.contains("metrics") ? "127.0.0.1:0" : "off"));
    if (features.contains("condition")) {
      flags.add("--claim-condition");
    }
    if (features.contains("audit")) {
      flags.add("--audit-log=" + folder.resolve("audit.log"));
    }
    return flags;
  }

  BurstCost burst(int claims) throws Exception {
    int first = claimCount;
    claimCount += claims;
    for (int i = first; i < claimCount; i++) {
      objects.createNfsVolume("v-" + i, "s", 2 * i + 1 + "Mi"); // odd: already in canonical form
    }
    for (int i = first; i < claimCount; i++) {
      await(KindCatalogue.VOLUMES, "v-" + i, "Available");
    }
    awaitIdle();
    double cpuBefore = cpuSeconds();
    long bytesBefore = THREADS.getTotalThreadAllocatedBytes();
    long start = System.nanoTime();
    for (int i = first; i < claimCount; i++) {
      objects.createClaim("default", "c-" + i, "s", 2 * i + 1 + "Mi");
    }
    Thread metricsRead = Thread.ofVirtual().start(this::readMetrics);
    for (int i = first; i < claimCount; i++) { // claims are bound roughly in this order
      await(KindCatalogue.CLAIMS, "c-" + i, "Bound");
    }
    long end = System.nanoTime();
    metricsRead.join();
    awaitIdle();
    return new BurstCost(
        (end - start) / NANOS,
        cpuSeconds() - cpuBefore,
        THREADS.getTotalThreadAllocatedBytes() - bytesBefore);
  }

  private static double cpuSeconds() {
    return SYSTEM.getProcessCpuTime() / NANOS;
  }

  private void awaitIdle() throws InterruptedException {
    POLL.until("the manager does not become idle", cluster.manager()::isIdle);
    Thread.sleep(SETTLED_MILLIS);
  }

  /**
   * Reads the metrics once per burst, which is about once a second; Prometheus reads every 15 s.
   */
  private void readMetrics() {
    if (reader == null) {
      return;
    }
    URI metrics = URI.create("http://127.0.0.1:" + cluster.manager().port() + "/metrics");
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(ResourceType type, String name, String phase) throws Exception {
    String namespace = type == KindCatalogue.CLAIMS ? "default" : "";
    POLL.until(
        name + " does not become " + phase, () -> objects.isInPhase(type, namespace, name, phase));
  }

  long writes() {
    return cluster.manager().cluster().writes();
  }

  long conflicts() {
    return cluster.manager().cluster().conflicts();
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    if (reader != null) {
      reader.close();
    }
  }
}
