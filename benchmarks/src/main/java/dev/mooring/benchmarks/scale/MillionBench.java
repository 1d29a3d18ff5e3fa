package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.benchmarks.Curves;
import dev.mooring.benchmarks.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Question: does one replica bear a million claims, bound to a million volumes? All controllers, as
 * the assembled jar, against the embedded server. Bars at a million: the first claim that was made
 * before the start is bound within 90 s of it, 2.5 GiB resident at the peak; that one more claim is
 * bound costs at most twice the processor time that it costs among 10,000, and beside the look at
 * everything, every 15 s, its p99 is at most 1.5 times that without. Limit beside it: the same
 * among 10,000.
 */
public final class MillionBench {
  private static final int[] SIZES = {10_000, 100_000, 1_000_000};
  private static final Duration START = Duration.ofMinutes(10);
  private static final int WARM_UP = 500;
  private static final int BINDS = 1000;
  private static final Duration RESYNCED = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String NO_RESYNC = "--pvclaimbinder-sync-period=24h";
  private static final double READY_BAR = 90;
  private static final double MEMORY_BAR_MIB = 2560;
  private static final double COST_BAR = 2;
  private static final double RESYNC_BAR = 1.5;

  private final ApiServer server;
  private final BindProbe probe;
  private final int size;

  /**
   * What came out.
   *
   * @param size claims, and as many volumes
   * @param ready seconds from the start of the process until a claim is bound that waited for it
   * @param rest MiB resident at rest
   * @param peak MiB resident, at most
   * @param cost milliseconds of processor time for one more claim that is bound
   * @param median milliseconds until such a claim is bound
   * @param p99 the same, of 99 in a hundred
   * @param resyncedP99 the same while everything is looked at again
   * @param idle cores in use while nothing changes, with all that is looked at again
   */
  private record Result(
      int size,
      double ready,
      long rest,
      long peak,
      double cost,
      double median,
      double p99,
      double resyncedP99,
      double idle) {}

  private MillionBench(ApiServer server, int size) throws Problem {
    this.server = server;
    this.probe = new BindProbe(server.handlers());
    this.size = size;
  }

  /**
   * Runs the sizes, prints a table, writes JSON and curves.
   *
   * @param sizes none for the usual ones
   */
  public static void measure(int... sizes) throws Exception {
    List<Result> results = new ArrayList<>();
    for (int size : sizes.length > 0 ? sizes : SIZES) {
      try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS)) {
        results.add(new MillionBench(server, size).run());
      }
    }
    print(results);
    write(results);
  }

  private Result run() throws Exception {
    fill();
    Alone alone = alone();
    return resynced(alone);
  }

  private void fill() throws Problem {
    Progress.say("filling the server with " + size + " claims and volumes ...");
    AttachWorldFill fill = new AttachWorldFill(server.handlers());
    for (int i = 0; i < size; i++) {
      fill.volume(i);
      if ((i + 1) % 100_000 == 0) {
        Progress.say((i + 1) + " ...");
      }
    }
    System.gc(); // the server's process is not to pause for what it made
  }

  /** What came out while nothing is looked at again. */
  private record Alone(double ready, long rest, long peak, double cost, BindProbe.Times binds) {}

  private Alone alone() throws Exception {
    try (ManagerProcess process = start(NO_RESYNC)) {
      double ready = awaitReady();
      Progress.say("ready after %.1f s, %d MiB".formatted(ready, process.peakMib()));
      process.awaitRest();
      long rest = process.residentMib();
      probe.volumes(WARM_UP + BINDS);
      process.awaitRest();
      probe.bind(WARM_UP);
      long before = process.ticks();
      BindProbe.Times binds = probe.bind(BINDS);
      double cost = (process.ticks() - before) * 10.0 / BINDS;
      Progress.say("a bind: %.2f ms of processor, p99 %.1f ms".formatted(cost, binds.p99()));
      return new Alone(ready, rest, process.peakMib(), cost, binds);
    }
  }

  private Result resynced(Alone alone) throws Exception {
    try (ManagerProcess process = start()) {
      awaitReady();
      probe.volumes(WARM_UP + (int) RESYNCED.dividedBy(PAUSE));
      probe.bind(WARM_UP);
      BindProbe.Times binds = probe.bindFor(RESYNCED, PAUSE);
      double idle = process.cores((int) RESYNCED.toSeconds());
      Progress.say(
          "beside the resync p99 %.1f ms, longest %.1f ms; %.3f cores at rest"
              .formatted(binds.p99(), binds.longest(), idle));
      return new Result(
          size,
          alone.ready,
          alone.rest,
          Math.max(alone.peak, process.peakMib()),
          alone.cost,
          alone.binds.median(),
          alone.binds.p99(),
          binds.p99(),
          idle);
    }
  }

  private ManagerProcess start(String... flags) throws Exception {
    probe.volumes(1);
    return ManagerProcess.start(server, flags);
  }

  /** The claim waits while the process reads everything. */
  private double awaitReady() throws Problem {
    return probe.bindOne(START) / 1000;
  }

  private static void print(List<Result> results) {
    System.out.printf(
        "%10s %8s %10s %10s %12s %10s %10s %14s %10s%n",
        "of each",
        "ready",
        "MiB",
        "peak MiB",
        "CPU a bind",
        "median",
        "p99",
        "p99, resync",
        "idle cores");
    for (Result r : results) {
      System.out.printf(
          "%10d %6.1f s %10d %10d %9.2f ms %7.1f ms %7.1f ms %11.1f ms %10.3f%n",
          r.size, r.ready, r.rest, r.peak, r.cost, r.median, r.p99, r.resyncedP99, r.idle);
    }
    Result first = results.getFirst();
    Result last = results.getLast();
    Progress.bar("ready within 90 s", last.ready <= READY_BAR);
    Progress.bar("2.5 GiB resident at the peak", last.peak <= MEMORY_BAR_MIB);
    Progress.bar(
        "a bind costs at most %.0f times that among %d".formatted(COST_BAR, first.size),
        last.cost <= COST_BAR * first.cost);
    Progress.bar(
        "p99 beside the resync at most 1.5 times", last.resyncedP99 <= RESYNC_BAR * last.p99);
  }

  private static void write(List<Result> results) throws IOException {
    JsonArray json = new JsonArray();
    for (Result r : results) {
      JsonObject one = new JsonObject();
      one.addProperty("size", r.size);
      one.addProperty("readySeconds", r.ready);
      one.addProperty("residentMib", r.rest);
      one.addProperty("peakMib", r.peak);
      one.addProperty("cpuMillisPerBind", r.cost);
      one.addProperty("bindMedianMillis", r.median);
      one.addProperty("bindP99Millis", r.p99);
      one.addProperty("bindP99BesideResyncMillis", r.resyncedP99);
      one.addProperty("idleCores", r.idle);
      json.add(one);
    }
    Map<String, List<Plot.Point>> curves = new LinkedHashMap<>();
    curves.put("seconds until ready (bar at a million: 90)", curve(results, Result::ready));
    curves.put("MiB resident at the peak (bar at a million: 2,560)", curve(results, Result::peak));
    curves.put("milliseconds of processor for a bind", curve(results, Result::cost));
    curves.put("p99 of a bind, milliseconds", curve(results, Result::p99));
    curves.put("the same beside the resync", curve(results, Result::resyncedP99));
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("million.json"),
        new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(
        target.resolve("million.svg"), Curves.svg("claims, and as many volumes", curves));
    System.out.println(
        "written: " + target.resolve("million.json") + ", " + target.resolve("million.svg"));
  }

  private static List<Plot.Point> curve(List<Result> results, ToDoubleFunction<Result> figure) {
    return results.stream().map(r -> new Plot.Point(r.size, figure.applyAsDouble(r))).toList();
  }
}
