package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.benchmarks.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Question: how much memory does the whole process need for a large cluster? All controllers and
 * the CSI bridge, as the assembled jar with the launcher's JVM flags, against 20,000 attached CSI
 * volumes with their claims and attachments, 1,000 nodes, and 150,000 pods of about 8.5 KB each.
 * Bar: 256 MiB resident, at rest and at its peak. Limit beside it: kube-controller-manager's
 * informers keep whole pods, which is about 2 GiB for so many.
 */
public final class MemoryBench {
  private static final int NODES = 1000;
  private static final int VOLUMES = NODES * AttachWorldFill.PER_NODE;
  private static final int PODS = 150_000;
  private static final int BAR_MIB = 256;
  private static final int MOST_SECONDS = 180;
  private static final int AT_REST_SAMPLES = 20;
  private static final long EVERY_MILLIS = 250;

  private MemoryBench() {}

  /** Runs it, prints what came out, writes JSON and a plot of resident memory over time. */
  public static void main(String[] args) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS)) {
      AttachWorldFill fill = new AttachWorldFill(server.handlers());
      Progress.say("filling the server with " + VOLUMES + " volumes and " + PODS + " pods ...");
      fill.nodes(NODES, 0);
      for (int i = VOLUMES; i < PODS; i++) {
        fill.podWithoutVolumes(i, i % NODES);
      }
      Progress.say("starting the controller manager ...");
      try (ManagerProcess manager =
          ManagerProcess.start(
              server, "--csi-endpoint=" + AttachWorldFill.DRIVER + "=unix:///nobody/is/there")) {
        report(watch(manager), manager.residentMib(), manager.peakMib());
      }
    }
  }

  /** Resident memory in MiB over seconds, until the process has come to rest. */
  private static List<Plot.Point> watch(ManagerProcess manager)
      throws IOException, InterruptedException {
    List<Plot.Point> points = new ArrayList<>();
    long began = System.nanoTime();
    long before = manager.ticks();
    int atRest = 0;
    while (atRest < AT_REST_SAMPLES) {
      Thread.sleep(EVERY_MILLIS);
      manager.mustLive();
      double seconds = (System.nanoTime() - began) / 1e9;
      if (seconds > MOST_SECONDS) {
        throw new IllegalStateException("the process is still busy after " + MOST_SECONDS + " s");
      }
      points.add(new Plot.Point(seconds, manager.residentMib()));
      long now = manager.ticks();
      atRest = now - before <= 1 ? atRest + 1 : 0;
      before = now;
    }
    return points;
  }

  private static void report(List<Plot.Point> points, long resting, long peak) throws IOException {
    System.out.printf(
        "%d volumes, %d pods: %d MiB at rest, %d MiB at the peak, at rest after %.0f s%n",
        VOLUMES, PODS, resting, peak, points.getLast().x());
    Progress.bar("at most " + BAR_MIB + " MiB resident at rest", resting <= BAR_MIB);
    Progress.bar("at most " + BAR_MIB + " MiB resident at the peak", peak <= BAR_MIB);
    JsonObject json = new JsonObject();
    json.addProperty("volumes", VOLUMES);
    json.addProperty("pods", PODS);
    json.addProperty("residentMib", resting);
    json.addProperty("peakMib", peak);
    json.addProperty("barMib", BAR_MIB);
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("memory.json"), new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(
        target.resolve("memory.svg"),
        Plot.line("MiB resident over seconds; the line is the bar", points, BAR_MIB));
    System.out.println(
        "written: " + target.resolve("memory.json") + ", " + target.resolve("memory.svg"));
  }
}
