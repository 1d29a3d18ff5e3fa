package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.Stored;
import dev.mooring.benchmarks.Await;
import dev.mooring.benchmarks.Plot;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.command.UsageException;
import dev.mooring.manager.lifecycle.Manager;
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
 * the API server takes 10 ms? Bars: 300 and 150 a second, four bind writes each and at most one
 * more that made the volume Available, no conflict. Limit beside it: kube-controller-manager 1.36
 * on this kind of machine binds 18 and provisions 24 a second so (unthrottled, real API server).
 */
public final class ScaleBench {
  private static final long ROUND_TRIP = 10_000_000;
  private static final Await BINDING = Await.of(100, 40);

  /** A case with its bar and what kube-controller-manager reached in it. */
  private enum Case {
    WARM_UP("warm-up", 2000, 0, 0, 5),
    STATIC("static binds, 10 ms per request", 6000, 300, 18, 5),
    HOST_PATH("hostPath provisions, 10 ms per request", 3000, 150, 24, 0);

    private final String title;
    private final int count;
    private final double bar;
    private final double peer;
    private final int writes;

    Case(String title, int count, double bar, double peer, int writes) {
      this.title = title;
      this.count = count;
      this.bar = bar;
      this.peer = peer;
      this.writes = writes;
    }
  }

  private record Result(Case what, double seconds, long writes, long conflicts) {
    double rate() {
      return what.count / seconds;
    }

    boolean met() {
      return rate() >= what.bar
          && conflicts == 0
          && (what.writes == 0 || writes <= (long) what.writes * what.count);
    }
  }

  private ScaleBench() {}

  /**
   * Runs the cases, prints a table, writes JSON and a plot; with {@code --observed} what it costs
   * instead that claims say why they wait, that an audit log is written and that metrics are read
   * each second; with {@code --observed=audit} of one of {@code condition}, {@code audit} and
   * {@code metrics} alone.
   */
  public static void main(String[] args) throws Exception {
    for (String arg : args) {
      if (arg.startsWith("--observed")) {
        observe(arg);
        return;
      }
    }
    measure(Case.WARM_UP); // client, network and server share one young JVM
    List<Result> results = new ArrayList<>();
    for (Case what : List.of(Case.STATIC, Case.HOST_PATH)) {
      results.add(measure(what));
    }
    print(results);
    write(results);
  }

  private static void print(List<Result> results) {
    System.out.printf(
        "%-42s %10s %8s %-7s %8s %10s %s%n",
        "what",
        "per second",
        "bar",
        "",
        "writes",
        "conflicts",
        "kube-controller-manager elsewhere");
    for (Result result : results) {
      System.out.printf(
          "%-42s %10.0f %8.0f %-7s %8d %10d %.0f/s%n",
          result.what.title,
          result.rate(),
          result.what.bar,
          result.met() ? "met" : "MISSED",
          result.writes,
          result.conflicts,
          result.what.peer);
    }
  }

  private static void write(List<Result> results) throws IOException {
    JsonArray json = new JsonArray();
    Map<String, Double> plotted = new LinkedHashMap<>();
    for (Result result : results) {
      JsonObject one = new JsonObject();
      one.addProperty("name", result.what.title);
      one.addProperty("count", result.what.count);
      one.addProperty("seconds", result.seconds);
      one.addProperty("perSecond", result.rate());
      one.addProperty("bar", result.what.bar);
      one.addProperty("met", result.met());
      one.addProperty("writes", result.writes);
      one.addProperty("conflicts", result.conflicts);
      json.add(one);
      plotted.put(result.what.title, result.rate() / result.what.bar);
    }
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("scale.json"), new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(target.resolve("scale.svg"), Plot.svg(plotted));
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

  private static Result measure(Case what)
      throws IOException, Problem, InterruptedException, UsageException, KubeConfigException {
    System.err.println(what.title + ": creating " + what.count + " ...");
    Path folder = Files.createTempDirectory("mooring-scale");
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS);
        SlowNetwork network = new SlowNetwork(URI.create(server.url()).getPort(), ROUND_TRIP)) {
      fill(server.handlers(), what);
      Path kubeconfig =
          Files.writeString(
              folder.resolve("kubeconfig"),
              server.kubeconfig().replace(server.url(), network.url()));
      Manager manager =
          RunFlags.manager(
              List.of(
                  "--leader-elect=false", "--enable-hostpath-provisioner=true", "--endpoints=off"),
              Path.of(
                  System.getProperty(
                      "mooring.plugins", "controller-manager/target/mooring/plugins")),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "bench"));
      long began = System.nanoTime();
      manager.start();
      double seconds = await(server.handlers(), what, began);
      Result result =
          new Result(what, seconds, manager.cluster().writes(), manager.cluster().conflicts());
      manager.stop();
      cleanUp(server.handlers());
      return result;
    }
  }

  private static void fill(Handlers handlers, Case what) throws Problem {
    if (what == Case.HOST_PATH) {
      create(
          handlers,
          KindCatalogue.CLASSES,
          "",
          "{\"metadata\": {\"name\": \"s\"}, \"provisioner\": \"kubernetes.io/host-path\", \"reclaimPolicy\": \"Delete\"}");
    }
    for (int i = 0; i < what.count; i++) {
      if (what != Case.HOST_PATH) {
        create(
            handlers,
            KindCatalogue.VOLUMES,
            "",
            """
            {"metadata": {"name": "v-%d"}, "spec": {"capacity": {"storage": "%dMi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
            """
                .formatted(i, 2 * i + 1)); // odd: the written form is the canonical one
      }
      create(
          handlers,
          KindCatalogue.CLAIMS,
          "default",
          """
          {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%dMi"}}}}
          """
              .formatted(i, 2 * i + 1)); // odd: the written form is the canonical one
    }
  }

  private static void create(Handlers handlers, ResourceType type, String namespace, String json)
      throws Problem {
    handlers.create(
        type, namespace, JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private static double await(Handlers handlers, Case what, long began)
      throws InterruptedException {
    Store claims = handlers.store(KindCatalogue.CLAIMS);
    // few looks at what is still pending: to look at everything all the time took a seventh of what
    // is measured
    List<String> pending =
        new ArrayList<>(claims.list("").objects().stream().map(Stored::key).toList());
    long[] told = {began};
    BINDING.untilNoneLeft(
        () -> "stuck at " + (what.count - pending.size()) + ": " + unbound(handlers),
        () -> {
          pending.removeIf(key -> isBound(claims.get(key)));
          if (System.nanoTime() - told[0] > 1_000_000_000L) {
            Progress.say(what.count - pending.size() + " of " + what.count);
            told[0] = System.nanoTime();
          }
          return pending.size();
        });
    return (System.nanoTime() - began) / 1e9;
  }

  private static boolean isBound(@Nullable Stored object) {
    return object != null
        && object.tree().get("status") instanceof JsonObject status
        && status.get("phase").getAsString().equals("Bound");
  }

  private static String unbound(Handlers handlers) {
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

  private static void cleanUp(Handlers handlers) throws IOException {
    for (var volume : handlers.store(KindCatalogue.VOLUMES).list("").objects()) {
      if (volume.tree().getAsJsonObject("spec").get("hostPath") instanceof JsonObject hostPath) {
        Files.deleteIfExists(Path.of(hostPath.get("path").getAsString()));
      }
    }
  }
}
