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
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.benchmarks.plugins.BadPlugin;
import dev.mooring.benchmarks.plugins.GoodPlugin;
import dev.mooring.benchmarks.plugins.OtherPlugin;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Question: what does a plugin that throws errors, hangs forever and leaks threads and classes cost
 * other plugins? The assembled jar runs as a process with a good plugin and such a bad one. The bad
 * plugin is called for a hundred volumes at first, then for five a second, with a timeout of one
 * second. The benchmark measures the time until claims of the good plugin are bound, at 50 claims a
 * second. Reference: the same number of claims for a second well-behaved plugin instead of the bad
 * one. Rounds alternate, each with a new process; the medians of their p99 are compared. Limit: 1.1
 * times.
 */
public final class PluginBench {
  private static final double LIMIT = 1.1;
  private static final int ROUNDS = 3;
  private static final int WARM_UP = 1000;
  private static final int CLAIMS = 1500;
  private static final int INITIAL_OTHER_CLAIMS = 100;
  private static final int GOOD_CLAIMS_PER_OTHER = 10;
  private static final long INTERVAL_NANOS = 20_000_000;
  private static final PollingWait BINDING = PollingWait.of(2, 60);

  private final ApiServer server;
  private final ServerObjects objects;
  private final boolean hasBadPlugin;
  private final Map<String, Long> boundAt = new ConcurrentHashMap<>();
  private int otherClaims;

  private PluginBench(ApiServer server, boolean hasBadPlugin) {
    this.server = server;
    this.objects = new ServerObjects(server.handlers());
    this.hasBadPlugin = hasBadPlugin;
  }

  public static void main(String[] args) throws Exception {
    Path plugins = Files.createTempDirectory("mooring-bench-plugins");
    pack(plugins.resolve("good.jar"), GoodPlugin.class);
    pack(plugins.resolve("other.jar"), OtherPlugin.class, GoodPlugin.class);
    pack(
        plugins.resolve("bad.jar"),
        BadPlugin.class,
        Class.forName(BadPlugin.class.getName() + "$CopyingLoader"));
    List<Double> reference = new ArrayList<>();
    List<Double> besideBad = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      for (boolean isBad : new boolean[] {false, true}) {
        double millis = measureRound(plugins, isBad);
        (isBad ? besideBad : reference).add(millis);
        System.err.printf(
            "  round %d, %s: p99 %.1f ms%n",
            round, isBad ? "with a bad plugin" : "with a second good plugin", millis);
      }
    }
    report(median(reference), median(besideBad));
  }

  private static void pack(Path jar, Class<?> plugin, Class<?>... helpers) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("META-INF/services/" + VolumePlugin.class.getName()));
      out.write(plugin.getName().getBytes());
      List<Class<?>> classes = new ArrayList<>(List.of(helpers));
      classes.add(plugin);
      for (Class<?> type : classes) {
        String file = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new ZipEntry(file));
        try (InputStream in =
            Objects.requireNonNull(type.getClassLoader().getResourceAsStream(file))) {
          in.transferTo(out);
        }
      }
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static double measureRound(Path plugins, boolean hasBadPlugin) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        ManagerProcess manager =
            ManagerProcess.start(
                server, "--plugins=" + plugins, "--plugin-timeout=1s", "--plugin-scan-period=0")) {
      return new PluginBench(server, hasBadPlugin).measure(manager);
    }
  }

  private double measure(ManagerProcess manager) throws Exception {
    Thread watcher = Thread.ofPlatform().daemon().start(this::watch);
    for (String name : List.of(GoodPlugin.NAME, OtherPlugin.NAME, BadPlugin.NAME)) {
      objects.create(
          KindCatalogue.CLASSES,
          "",
          "{'metadata': {'name': '%s'}, 'provisioner': '%s'}"
              .formatted(name.substring(name.indexOf('/') + 1), name));
    }
    createAtFixedRate("warm-up", WARM_UP, manager);
    for (int i = 0; i < INITIAL_OTHER_CLAIMS; i++) {
      createOtherClaim();
    }
    double[] millis = createAtFixedRate("good", CLAIMS, manager);
    watcher.interrupt();
    Arrays.sort(millis);
    return millis[(int) (0.99 * (millis.length - 1))];
  }

  private void createOtherClaim() throws StatusException {
    int number = otherClaims++;
    createClaim((number % 2 == 0 ? "throws-" : "hangs-") + number, hasBadPlugin ? "bad" : "other");
  }

  private void createClaim(String name, String className) throws StatusException {
    objects.createClaim("default", name, className, "1Gi");
  }

  /**
   * Creates claims at a fixed rate, whether or not earlier claims are bound, so that no slow claim
   * is omitted.
   */
  private double[] createAtFixedRate(String prefix, int count, ManagerProcess manager)
      throws Exception {
    long[] scheduled = new long[count];
    long next = System.nanoTime();
    for (int i = 0; i < count; i++) {
      while (System.nanoTime() < next) {
        Thread.sleep(1);
      }
      scheduled[i] =
          next; // time of a claim counts from its scheduled creation, even if it is created late
      next += INTERVAL_NANOS;
      createClaim(prefix + "-" + i, "good");
      if (prefix.equals("good") && i % GOOD_CLAIMS_PER_OTHER == 0) {
        createOtherClaim();
      }
    }
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      String name = prefix + "-" + i;
      BINDING.until(
          "claim " + name + " is not bound; see manager.log",
          () -> {
            manager.requireAlive();
            return boundAt.containsKey(name);
          });
      millis[i] = (boundAt.getOrDefault(name, 0L) - scheduled[i]) / 1e6;
    }
    return millis;
  }

  private void watch() {
    List<Store.EventCursor> cursor = new ArrayList<>();
    server.handlers().store(KindCatalogue.CLAIMS).listAndOpenCursor("", cursor);
    try {
      while (!Thread.currentThread().isInterrupted()) {
        List<StoreEvent> events = cursor.getLast().take(100, 200_000_000);
        if (events == null) {
          return; // the server is closed
        }
        for (StoreEvent event : events) {
          if (event.after() != null
              && JsonBodies.textAt(event.after().tree(), "status", "phase").equals("Bound")) {
            boundAt.putIfAbsent(
                JsonBodies.textAt(event.after().tree(), "metadata", "name"), System.nanoTime());
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void report(double reference, double besideBad) throws IOException {
    double times = besideBad / reference;
    System.out.printf(
        "time until a claim is bound, p99: %.1f ms with a second good plugin, %.1f ms with a plugin that throws, hangs and leaks: %.2f times%n",
        reference, besideBad, times);
    BenchOutput.reportLimit("p99 of other plugins rises at most " + LIMIT, times <= LIMIT);
    JsonObject json = new JsonObject();
    json.addProperty("besideGoodMillis", reference);
    json.addProperty("besideBadMillis", besideBad);
    json.addProperty("times", times);
    json.addProperty("limit", LIMIT);
    BenchOutput.write(
        "plugins", json, SvgChart.svg(Map.of("p99 with a bad plugin", LIMIT / times)));
  }
}
