package dev.mooring.benchmarks.scale;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.PollingWait;
import dev.mooring.benchmarks.ResultTable;
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.kube.KubeCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Question: how many claims a second are bound, and how many are provisioned, when every request to
 * the API server takes 10 ms? Limits: 300 and 150 a second without conflicts; a bind takes four
 * writes, and at most one more to make the volume Available. Reference: kube-controller-manager
 * 1.36 on this kind of machine binds 18 and provisions 24 a second under these conditions
 * (unthrottled, real API server).
 */
public final class ScaleBench {
  private static final PollingWait BINDING = PollingWait.of(100, 40);

  private enum ScaleCase {
    WARM_UP("warm-up", 2000, 0, 0, 5),
    STATIC("static binds, 10 ms per request", 6000, 300, 18, 5),
    HOST_PATH("hostPath provisions, 10 ms per request", 3000, 150, 24, 0);

    private final String title;
    private final int count;
    private final double limit;
    private final double peer;
    private final int writes;

    ScaleCase(String title, int count, double limit, double peer, int writes) {
      this.title = title;
      this.count = count;
      this.limit = limit;
      this.peer = peer;
      this.writes = writes;
    }
  }

  private record CaseResult(ScaleCase scaleCase, double seconds, long writes, long conflicts) {
    double rate() {
      return scaleCase.count / seconds;
    }

    boolean isMet() {
      return rate() >= scaleCase.limit
          && conflicts == 0
          && (scaleCase.writes == 0 || writes <= (long) scaleCase.writes * scaleCase.count);
    }
  }

  private static final ResultTable<CaseResult> TABLE =
      new ResultTable<CaseResult>()
          .figure("case", "%s", "name", r -> r.scaleCase.title)
          .member("count", r -> r.scaleCase.count)
          .member("seconds", CaseResult::seconds)
          .figure("per second", "%.0f", "perSecond", CaseResult::rate)
          .figure("limit", "%.0f", "limit", r -> r.scaleCase.limit)
          .column("", "%s", r -> r.isMet() ? "met" : "MISSED")
          .member("met", CaseResult::isMet)
          .figure("writes", "%d", "writes", CaseResult::writes)
          .figure("conflicts", "%d", "conflicts", CaseResult::conflicts)
          .column("kube-controller-manager (reference)", "%.0f/s", r -> r.scaleCase.peer);

  private ScaleBench() {}

  /**
   * Runs the cases, prints a table, and writes JSON and a chart. {@code --observed} instead
   * measures the cost of claim conditions, the audit log and a read of the metrics each second;
   * {@code --observed=audit} measures one of {@code condition}, {@code audit} and {@code metrics}.
   */
  public static void main(String[] args) throws Exception {
    for (String arg : args) {
      if (arg.startsWith("--observed")) {
        observe(arg);
        return;
      }
    }
    measure(ScaleCase.WARM_UP); // client, network and server share one JVM, which must be warm
    List<CaseResult> results = new ArrayList<>();
    for (ScaleCase scaleCase : List.of(ScaleCase.STATIC, ScaleCase.HOST_PATH)) {
      results.add(measure(scaleCase));
    }
    TABLE.print(results);
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (CaseResult result : results) {
      ratios.put(result.scaleCase.title, result.rate() / result.scaleCase.limit);
    }
    BenchOutput.write("scale", TABLE.json(results), SvgChart.svg(ratios));
  }

  private static void observe(String flag) throws Exception {
    ObservedBench bench;
    try {
      bench = ObservedBench.of(flag);
    } catch (IllegalArgumentException e) {
      System.err.println("mooring: bench: " + e.getMessage());
      System.exit(2);
      return;
    }
    bench.run();
  }

  private static CaseResult measure(ScaleCase scaleCase) throws Exception {
    System.err.println(scaleCase.title + ": creating " + scaleCase.count + " ...");
    try (SlowCluster cluster =
        SlowCluster.create(
            Files.createTempDirectory("mooring-scale"),
            List.of("--enable-hostpath-provisioner=true", "--endpoints=off"))) {
      ObjectHandlers handlers = cluster.server().handlers();
      fill(new ServerObjects(handlers), scaleCase);
      long start = System.nanoTime();
      cluster.manager().start();
      double seconds = await(handlers, scaleCase, start);
      KubeCluster writer = cluster.manager().cluster();
      CaseResult result = new CaseResult(scaleCase, seconds, writer.writes(), writer.conflicts());
      cluster.manager().stop();
      cleanUp(handlers);
      return result;
    }
  }

  private static void fill(ServerObjects objects, ScaleCase scaleCase) throws StatusException {
    if (scaleCase == ScaleCase.HOST_PATH) {
      objects.create(
          KindCatalogue.CLASSES,
          "",
          "{'metadata': {'name': 's'}, 'provisioner': 'kubernetes.io/host-path', 'reclaimPolicy': 'Delete'}");
    }
    for (int i = 0; i < scaleCase.count; i++) {
      String size = 2 * i + 1 + "Mi"; // odd: already in canonical form
      if (scaleCase != ScaleCase.HOST_PATH) {
        objects.createNfsVolume("v-" + i, "s", size);
      }
      objects.createClaim("default", "c-" + i, "s", size);
    }
  }

  private static double await(ObjectHandlers handlers, ScaleCase scaleCase, long start)
      throws InterruptedException {
    Store claims = handlers.store(KindCatalogue.CLAIMS);
    // checks pending claims only: to check all of them cost a seventh of the measured rate
    List<String> pending =
        new ArrayList<>(claims.list("").objects().stream().map(StoredObject::key).toList());
    long[] lastReport = {start};
    BINDING.untilZero(
        () -> "stuck at " + (scaleCase.count - pending.size()) + ": " + describeUnbound(handlers),
        () -> {
          pending.removeIf(key -> ServerObjects.isInPhase(claims.get(key), "Bound"));
          if (System.nanoTime() - lastReport[0] > 1_000_000_000L) {
            BenchOutput.progress(scaleCase.count - pending.size() + " of " + scaleCase.count);
            lastReport[0] = System.nanoTime();
          }
          return pending.size();
        });
    return (System.nanoTime() - start) / 1e9;
  }

  private static String describeUnbound(ObjectHandlers handlers) {
    StringBuilder text = new StringBuilder();
    for (ResourceType type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.EVENTS)) {
      handlers.store(type).list("").objects().stream()
          .filter(o -> type == KindCatalogue.EVENTS || !ServerObjects.isInPhase(o, "Bound"))
          .limit(3)
          .forEach(o -> text.append('\n').append(o.tree()));
    }
    return text.toString();
  }

  private static void cleanUp(ObjectHandlers handlers) throws IOException {
    for (var volume : handlers.store(KindCatalogue.VOLUMES).list("").objects()) {
      if (volume.tree().getAsJsonObject("spec").get("hostPath") instanceof JsonObject hostPath) {
        Files.deleteIfExists(Path.of(hostPath.get("path").getAsString()));
      }
    }
  }
}
