package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.kinds.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.benchmarks.PollingWait;
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.command.UsageException;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Question: how many claims a second are bound, and how many are provisioned, when every request to
 * the API server takes 10 ms? Limits: 300 and 150 a second without conflicts; a bind takes four
 * writes, and at most one more to make the volume Available. Reference: kube-controller-manager
 * 1.36 on this kind of machine binds 18 and provisions 24 a second under these conditions
 * (unthrottled, real API server).
 */
public final class ScaleBench {
  private static final long ROUND_TRIP = 10_000_000;
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

    boolean met() {
      return rate() >= scaleCase.limit
          && conflicts == 0
          && (scaleCase.writes == 0 || writes <= (long) scaleCase.writes * scaleCase.count);
    }
  }

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
    print(results);
    write(results);
  }

  private static void print(List<CaseResult> results) {
    System.out.printf(
        "%-42s %10s %8s %-7s %8s %10s %s%n",
        "case",
        "per second",
        "limit",
        "",
        "writes",
        "conflicts",
        "kube-controller-manager (reference)");
    for (CaseResult result : results) {
      System.out.printf(
          "%-42s %10.0f %8.0f %-7s %8d %10d %.0f/s%n",
          result.scaleCase.title,
          result.rate(),
          result.scaleCase.limit,
          result.met() ? "met" : "MISSED",
          result.writes,
          result.conflicts,
          result.scaleCase.peer);
    }
  }

  private static void write(List<CaseResult> results) throws IOException {
    JsonArray json = new JsonArray();
    Map<String, Double> plotted = new LinkedHashMap<>();
    for (CaseResult result : results) {
      JsonObject one = new JsonObject();
      one.addProperty("name", result.scaleCase.title);
      one.addProperty("count", result.scaleCase.count);
      one.addProperty("seconds", result.seconds);
      one.addProperty("perSecond", result.rate());
      one.addProperty("limit", result.scaleCase.limit);
      one.addProperty("met", result.met());
      one.addProperty("writes", result.writes);
      one.addProperty("conflicts", result.conflicts);
      json.add(one);
      plotted.put(result.scaleCase.title, result.rate() / result.scaleCase.limit);
    }
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("scale.json"), new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(target.resolve("scale.svg"), SvgChart.svg(plotted));
    System.out.println(
        "written: " + target.resolve("scale.json") + ", " + target.resolve("scale.svg"));
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

  private static CaseResult measure(ScaleCase scaleCase)
      throws IOException,
          StatusException,
          InterruptedException,
          UsageException,
          KubeConfigException {
    System.err.println(scaleCase.title + ": creating " + scaleCase.count + " ...");
    Path folder = Files.createTempDirectory("mooring-scale");
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        SlowNetwork network = new SlowNetwork(URI.create(server.url()).getPort(), ROUND_TRIP)) {
      fill(server.handlers(), scaleCase);
      Path kubeconfig =
          Files.writeString(
              folder.resolve("kubeconfig"),
              server.kubeconfig().replace(server.url(), network.url()));
      ControllerManager manager =
          RunFlags.manager(
              List.of(
                  "--leader-elect=false", "--enable-hostpath-provisioner=true", "--endpoints=off"),
              Path.of(
                  System.getProperty(
                      "mooring.plugins", "controller-manager/target/mooring/plugins")),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "bench"));
      long began = System.nanoTime();
      manager.start();
      double seconds = await(server.handlers(), scaleCase, began);
      CaseResult result =
          new CaseResult(
              scaleCase, seconds, manager.cluster().writes(), manager.cluster().conflicts());
      manager.stop();
      cleanUp(server.handlers());
      return result;
    }
  }

  private static void fill(ObjectHandlers handlers, ScaleCase scaleCase) throws StatusException {
    if (scaleCase == ScaleCase.HOST_PATH) {
      create(
          handlers,
          KindCatalogue.CLASSES,
          "",
          "{\"metadata\": {\"name\": \"s\"}, \"provisioner\": \"kubernetes.io/host-path\", \"reclaimPolicy\": \"Delete\"}");
    }
    for (int i = 0; i < scaleCase.count; i++) {
      if (scaleCase != ScaleCase.HOST_PATH) {
        create(
            handlers,
            KindCatalogue.VOLUMES,
            "",
            """
            {"metadata": {"name": "v-%d"}, "spec": {"capacity": {"storage": "%dMi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
            """
                .formatted(i, 2 * i + 1)); // odd: already in canonical form
      }
      create(
          handlers,
          KindCatalogue.CLAIMS,
          "default",
          """
          {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%dMi"}}}}
          """
              .formatted(i, 2 * i + 1)); // odd: already in canonical form
    }
  }

  private static void create(
      ObjectHandlers handlers, ResourceType type, String namespace, String json)
      throws StatusException {
    handlers.create(
        type, namespace, JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private static double await(ObjectHandlers handlers, ScaleCase scaleCase, long began)
      throws InterruptedException {
    Store claims = handlers.store(KindCatalogue.CLAIMS);
    // checks pending claims only: to check all of them cost a seventh of the measured rate
    List<String> pending =
        new ArrayList<>(claims.list("").objects().stream().map(StoredObject::key).toList());
    long[] lastReport = {began};
    BINDING.untilZero(
        () -> "stuck at " + (scaleCase.count - pending.size()) + ": " + unbound(handlers),
        () -> {
          pending.removeIf(key -> isBound(claims.get(key)));
          if (System.nanoTime() - lastReport[0] > 1_000_000_000L) {
            BenchOutput.progress(scaleCase.count - pending.size() + " of " + scaleCase.count);
            lastReport[0] = System.nanoTime();
          }
          return pending.size();
        });
    return (System.nanoTime() - began) / 1e9;
  }

  private static boolean isBound(@Nullable StoredObject object) {
    return object != null
        && object.tree().get("status") instanceof JsonObject status
        && status.get("phase").getAsString().equals("Bound");
  }

  private static String unbound(ObjectHandlers handlers) {
    StringBuilder text = new StringBuilder();
    for (ResourceType type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.EVENTS)) {
      handlers.store(type).list("").objects().stream()
          .filter(o -> type == KindCatalogue.EVENTS || !isBound(o))
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
