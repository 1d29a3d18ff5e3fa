package dev.mooring.benchmarks.scale;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.benchmarks.SvgChart.ChartPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Question: how much memory does the process need for a large cluster? All controllers and the CSI
 * bridge run as the assembled jar with the launcher's JVM flags. The cluster has 20,000 attached
 * CSI volumes with claims and attachments, 1,000 nodes, and 150,000 pods of about 8.5 KB each.
 * Limit: 256 MiB resident, idle and at the peak. Reference: kube-controller-manager's informers
 * keep whole pods, about 2 GiB here. With {@code --shadow}, {@code mooring shadow} runs instead.
 */
public final class MemoryBench {
  private static final int NODES = 1000;
  private static final int VOLUMES = NODES * AttachedClusterFill.PER_NODE;
  private static final int PODS = 150_000;
  private static final int LIMIT_MIB = 256;
  private static final int MAX_SECONDS = 180;
  private static final int AT_REST_SAMPLES = 20;
  private static final long INTERVAL_MILLIS = 250;

  private MemoryBench() {}

  public static void main(String[] args) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      AttachedClusterFill fill = new AttachedClusterFill(server.handlers());
      BenchOutput.progress(
          "filling the server with " + VOLUMES + " volumes and " + PODS + " pods ...");
      fill.createNodes(NODES, 0);
      for (int i = VOLUMES; i < PODS; i++) {
        fill.createPodWithoutVolumes(i, i % NODES);
      }
      boolean isShadow = List.of(args).contains("--shadow");
      BenchOutput.progress("starting the " + (isShadow ? "shadow" : "controller manager") + " ...");
      try (ManagerProcess manager = isShadow ? ManagerProcess.shadow(server) : startAll(server)) {
        report(recordMemory(manager), manager.residentMib(), manager.peakMib());
      }
    }
  }

  private static ManagerProcess startAll(ApiServer server) throws IOException {
    return ManagerProcess.start(
        server, "--csi-endpoint=" + AttachedClusterFill.DRIVER + "=unix:///does/not/exist");
  }

  private static List<ChartPoint> recordMemory(ManagerProcess manager)
      throws IOException, InterruptedException {
    List<ChartPoint> points = new ArrayList<>();
    long start = System.nanoTime();
    long lastTicks = manager.ticks();
    int idleSamples = 0;
    while (idleSamples < AT_REST_SAMPLES) {
      Thread.sleep(INTERVAL_MILLIS);
      manager.requireAlive();
      double seconds = (System.nanoTime() - start) / 1e9;
      if (seconds > MAX_SECONDS) {
        throw new IllegalStateException("the process is not idle after " + MAX_SECONDS + " s");
      }
      points.add(new ChartPoint(seconds, manager.residentMib()));
      long ticks = manager.ticks();
      idleSamples = ticks - lastTicks <= 1 ? idleSamples + 1 : 0;
      lastTicks = ticks;
    }
    return points;
  }

  private static void report(List<ChartPoint> points, long idleMib, long peakMib)
      throws IOException {
    System.out.printf(
        "%d volumes, %d pods: %d MiB idle, %d MiB at the peak, idle after %.0f s%n",
        VOLUMES, PODS, idleMib, peakMib, points.getLast().x());
    BenchOutput.reportLimit(
        "at most " + LIMIT_MIB + " MiB resident when idle", idleMib <= LIMIT_MIB);
    BenchOutput.reportLimit(
        "at most " + LIMIT_MIB + " MiB resident at the peak", peakMib <= LIMIT_MIB);
    JsonObject json = new JsonObject();
    json.addProperty("volumes", VOLUMES);
    json.addProperty("pods", PODS);
    json.addProperty("residentMib", idleMib);
    json.addProperty("peakMib", peakMib);
    json.addProperty("limitMib", LIMIT_MIB);
    BenchOutput.write(
        "memory",
        json,
        SvgChart.line("resident MiB over seconds; the line is the limit", points, LIMIT_MIB));
  }
}
