package dev.mooring.benchmarks.scale;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoreEvent;
import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.PollingWait;
import dev.mooring.benchmarks.ResultTable;
import dev.mooring.benchmarks.SvgChart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Question: does the cost of attach/detach depend on the number of changes or on the number of
 * attachments? The assembled jar runs as a process against an embedded server with 1,000, 10,000
 * and 100,000 attachments, 20 on each node. Limits at 100,000: first action within 30 s of the
 * start, at most 0.1 CPU cores when idle, 200 moves (one detach, one attach) a second, and an
 * attach p99 that grows at most 1.2 times while 5,000 detaches are queued. Reference:
 * kube-controller-manager 1.36 reached 394 to 613 attachments a second on this kind of machine, on
 * an empty cluster and a real API server.
 */
public final class AttachBench {
  private static final int WARM_UP = 3000;
  private static final int MOVES = 2000;
  // pooled, because two or three pauses determine the p99 of a single round
  private static final int ROUNDS = 8;
  private static final int PROBES = 500;
  private static final int STORM = 5000;
  // the probe starts when one in this many detaches of the storm is done
  private static final int STORM_STARTED_DIVISOR = 20;
  // they receive all moved and probed volumes: about twenty each in the end, like the other nodes
  private static final int SPARE_NODES = 450;

  private record AttachResult(
      int attachments,
      double firstAction,
      double idleCores,
      double movesPerSecond,
      double probeMillis,
      double probeInStormMillis,
      long residentMib) {}

  private static final ResultTable<AttachResult> TABLE =
      new ResultTable<AttachResult>()
          .figure("attachments", "%d", "attachments", AttachResult::attachments)
          .figure("first action", "%.1f s", "firstActionSeconds", AttachResult::firstAction)
          .figure("idle cores", "%.3f", "idleCores", AttachResult::idleCores)
          .figure("moves/s", "%.0f", "movesPerSecond", AttachResult::movesPerSecond)
          .figure("attach p99", "%.1f ms", "attachP99Millis", AttachResult::probeMillis)
          .figure(
              "during storm", "%.1f ms", "attachP99InStormMillis", AttachResult::probeInStormMillis)
          .figure("MiB", "%d", "residentMib", AttachResult::residentMib);

  private final ApiServer server;
  private final AttachedClusterFill fill;
  private final int attachments;
  private final int nodes;
  // attachment name to nanoTime
  private final Map<String, Long> created = new ConcurrentHashMap<>();
  private final AtomicInteger detached = new AtomicInteger();
  private int nextVolume;
  private int nextMove;

  private AttachBench(ApiServer server, int attachments) {
    this.server = server;
    this.attachments = attachments;
    this.nodes = attachments / AttachedClusterFill.PER_NODE;
    this.fill = new AttachedClusterFill(server.handlers());
    this.nextVolume = 10_000_000;
  }

  /**
   * Measures each size, prints a table, and writes JSON and a chart.
   *
   * @param sizes numbers of attachments; none for 1,000, 10,000 and 100,000
   */
  public static void measure(int... sizes) throws Exception {
    List<AttachResult> results = new ArrayList<>();
    for (int size : sizes.length > 0 ? sizes : new int[] {1_000, 10_000, 100_000}) {
      try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
        results.add(new AttachBench(server, size).run());
      }
    }
    report(results);
  }

  private AttachResult run() throws Exception {
    BenchOutput.progress(
        "filling the server with " + attachments + " attachments on " + nodes + " nodes ...");
    // moves and the storm need volumes that no node reports as in use
    int unusedPerNode =
        Math.min(AttachedClusterFill.PER_NODE, 1 + (WARM_UP + MOVES + ROUNDS * STORM) / nodes);
    fill.createNodes(nodes, unusedPerNode);
    fill.createNodesWithoutVolumes(nodes, SPARE_NODES);
    Thread driver = Thread.ofPlatform().daemon().name("driver").unstarted(this::simulateDriver);
    String first = AttachedClusterFill.attachmentName(createPodWithVolume(nodes), nodes);
    long start = System.nanoTime();
    driver.start();
    try (ManagerProcess process = ManagerProcess.start(server, "--controllers=attachdetach")) {
      awaitEvent("the first attachment", () -> created.containsKey(first), 120);
      double firstAction = (System.nanoTime() - start) / 1e9;
      BenchOutput.progress("first action after %.1f s".formatted(firstAction));
      double idleCores = idleCores(process);
      measureMoves(Math.min(WARM_UP, attachments / 4)); // warms up the JVM
      double movesPerSecond = measureMoves(Math.min(MOVES, attachments / 8));
      BenchOutput.progress("%.0f moves a second".formatted(movesPerSecond));
      List<Double> aloneMillis = new ArrayList<>();
      List<Double> inStormMillis = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        aloneMillis.addAll(measureAttachTimes(0, process));
        inStormMillis.addAll(
            measureAttachTimes(Math.min(STORM, attachments / 2 / ROUNDS), process));
      }
      double aloneP99 = p99(aloneMillis);
      double inStormP99 = p99(inStormMillis);
      long residentMib = process.residentMib();
      BenchOutput.progress(
          "attach p99 %.1f ms alone, %.1f ms during the storm; %d MiB resident"
              .formatted(aloneP99, inStormP99, residentMib));
      return new AttachResult(
          attachments, firstAction, idleCores, movesPerSecond, aloneP99, inStormP99, residentMib);
    } finally {
      driver.interrupt();
    }
  }

  private static double idleCores(ManagerProcess process) throws Exception {
    process.awaitIdle(); // wait for the end of the work that the start causes
    double cores = process.measureCores(10);
    BenchOutput.progress("%.3f CPU cores when idle".formatted(cores));
    return cores;
  }

  private void simulateDriver() {
    List<Store.EventCursor> cursors = new ArrayList<>();
    server.handlers().store(KindCatalogue.ATTACHMENTS).listAndOpenCursor("", cursors);
    try {
      while (!Thread.interrupted()) {
        List<StoreEvent> events = cursors.getLast().take(100, 200_000_000);
        if (events == null) {
          attachAll(cursors);
          continue;
        }
        for (StoreEvent event : events) {
          if (event.after() == null) {
            detached.incrementAndGet();
          } else if (event.before() == null) {
            attach(event.after().tree());
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StatusException e) {
      throw new IllegalStateException(e);
    }
  }

  private void attachAll(List<Store.EventCursor> cursors) throws StatusException {
    for (var stored :
        server
            .handlers()
            .store(KindCatalogue.ATTACHMENTS)
            .listAndOpenCursor("", cursors)
            .objects()) {
      if (!JsonBodies.flagAt(stored.tree(), "status", "attached")) {
        attach(stored.tree());
      }
    }
  }

  private void attach(JsonObject attachment) {
    String name = JsonBodies.textAt(attachment, "metadata", "name");
    created.putIfAbsent(name, System.nanoTime());
    try {
      fill.markAttached(name);
    } catch (StatusException e) {
      // deleted in the meantime
    }
  }

  private int createPodWithVolume(int node) throws StatusException {
    int volume = nextVolume++;
    fill.createBoundVolume(volume);
    fill.createPod("p-" + volume, volume, node);
    return volume;
  }

  /**
   * Replaces pods whose volumes are not in use by pods on the spare nodes; returns moves per
   * second.
   */
  private double measureMoves(int count) throws Exception {
    int firstMove = nextMove;
    nextMove += count;
    long start = System.nanoTime();
    for (int i = firstMove; i < nextMove; i++) {
      int volume = findUnusedVolume(i);
      fill.deletePod("p-" + volume);
      fill.createPod("moved-" + volume, volume, nodes + i % SPARE_NODES);
    }
    int[] moved = new int[1];
    awaitEvent(
        count + " moves",
        () -> {
          while (moved[0] < count
              && isAttached(
                  findUnusedVolume(firstMove + moved[0]),
                  nodes + (firstMove + moved[0]) % SPARE_NODES)) {
            moved[0]++;
          }
          return moved[0] == count;
        },
        300);
    return count / ((System.nanoTime() - start) / 1e9);
  }

  // Returns the i-th volume that is not in use. The first volumes of each node are not in use.
  private int findUnusedVolume(int i) {
    return i % nodes * AttachedClusterFill.PER_NODE + i / nodes;
  }

  private boolean isAttached(int volume, int node) {
    return created.containsKey(AttachedClusterFill.attachmentName(volume, node));
  }

  /**
   * Returns times from the creation of a pod to its attachment, in milliseconds, while a storm of
   * detaches is queued. The probe starts when the controller has observed the deleted pods and has
   * done the first detaches.
   */
  private List<Double> measureAttachTimes(int storm, ManagerProcess process) throws Exception {
    List<Integer> volumes = new ArrayList<>();
    for (int i = 0; i < PROBES; i++) {
      int volume = nextVolume++;
      fill.createBoundVolume(volume);
      volumes.add(volume);
    }
    process.awaitIdle(); // until the caches contain the claims and all earlier work is done
    System.gc(); // avoids a pause of this JVM during the measurement
    int detachedBefore = detached.get();
    for (int i = 0; i < storm; i++) {
      fill.deletePod("p-" + findUnusedVolume(nextMove++));
    }
    awaitEvent(
        "the storm", () -> detached.get() - detachedBefore >= storm / STORM_STARTED_DIVISOR, 60);
    Map<Integer, Long> createdAt = new LinkedHashMap<>();
    for (int volume : volumes) {
      createdAt.put(volume, System.nanoTime());
      fill.createPod("p-" + volume, volume, nodes + volume % SPARE_NODES);
      Thread.sleep(10);
    }
    List<Double> millis = new ArrayList<>();
    for (Map.Entry<Integer, Long> entry : createdAt.entrySet()) {
      String name =
          AttachedClusterFill.attachmentName(entry.getKey(), nodes + entry.getKey() % SPARE_NODES);
      awaitEvent("attachment " + name, () -> created.containsKey(name), 120);
      millis.add((created.getOrDefault(name, 0L) - entry.getValue()) / 1e6);
    }
    if (storm > 0) {
      int queued = storm - (detached.get() - detachedBefore);
      BenchOutput.progress(
          "%d of %d detaches were still queued at the end".formatted(queued, storm));
    }
    return millis;
  }

  private static double p99(List<Double> millis) {
    return millis.stream().sorted().toList().get((int) (0.99 * (millis.size() - 1)));
  }

  private static void awaitEvent(String event, BooleanSupplier condition, int seconds)
      throws InterruptedException {
    PollingWait.of(2, seconds).until(event + " did not happen", condition::getAsBoolean);
  }

  private static void report(List<AttachResult> results) throws IOException {
    TABLE.print(results);
    AttachResult last = results.getLast();
    BenchOutput.reportLimit("first action within 30 s", last.firstAction <= 30);
    BenchOutput.reportLimit("at most 0.1 CPU cores when idle", last.idleCores <= 0.1);
    BenchOutput.reportLimit("200 moves a second", last.movesPerSecond >= 200);
    BenchOutput.reportLimit(
        "the storm raises attach p99 at most 1.2 times",
        last.probeInStormMillis <= 1.2 * last.probeMillis);
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (AttachResult r : results) {
      ratios.put(r.attachments + " attachments: first action, of 30 s", r.firstAction / 30);
      ratios.put(r.attachments + " attachments: idle, of 0.1 CPU cores", r.idleCores / 0.1);
      ratios.put(r.attachments + " attachments: moves, of 200/s", r.movesPerSecond / 200);
    }
    BenchOutput.write("attach", TABLE.json(results), SvgChart.svg(ratios));
  }
}
