package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.CurveChart;
import dev.mooring.benchmarks.ResultTable;
import dev.mooring.benchmarks.SvgChart.ChartPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Question: can one replica serve a million claims that are bound to a million volumes? All
 * controllers run as the assembled jar against the embedded server. Limits at a million: a claim
 * that exists before the start is bound within 90 s of it, and 2.5 GiB resident at the peak. One
 * more bind costs at most twice the CPU time that it costs at 10,000. With a resync every 15 s, the
 * bind p99 is at most 1.5 times the p99 without. Reference: the figures at 10,000.
 */
public final class MillionBench {
  private static final int[] SIZES = {10_000, 100_000, 1_000_000};
  private static final Duration START = Duration.ofMinutes(10);
  private static final int WARM_UP = 500;
  private static final int BINDS = 1000;
  private static final Duration RESYNCED = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String NO_RESYNC = "--pvclaimbinder-sync-period=24h";
  private static final double LIMIT_READY_SECONDS = 90;
  private static final double LIMIT_PEAK_MIB = 2560;
  private static final double LIMIT_COST_RATIO = 2;
  private static final double LIMIT_RESYNC_RATIO = 1.5;

  private final ApiServer server;
  private final BindProbe probe;
  private final int size;

  /**
   * Results of one size. Times of a bind are from the creation of the claim, in milliseconds.
   *
   * @param size number of claims and of volumes
   * @param readySeconds seconds from the start of the process until a claim that existed before is
   *     bound
   * @param idleMib MiB resident when idle
   * @param peak peak MiB resident
   * @param cost milliseconds of CPU time per bind
   * @param resyncedP99 p99 of a bind with resyncs
   * @param idle CPU cores in use with resyncs and no other work
   */
  private record SizeResult(
      int size,
      double readySeconds,
      long idleMib,
      long peak,
      double cost,
      double median,
      double p99,
      double resyncedP99,
      double idle) {}

  private static final ResultTable<SizeResult> TABLE =
      new ResultTable<SizeResult>()
          .figure("of each", "%d", "size", SizeResult::size)
          .figure("ready", "%.1f s", "readySeconds", SizeResult::readySeconds)
          .figure("MiB", "%d", "residentMib", SizeResult::idleMib)
          .figure("peak MiB", "%d", "peakMib", SizeResult::peak)
          .figure("CPU per bind", "%.2f ms", "cpuMillisPerBind", SizeResult::cost)
          .figure("median", "%.1f ms", "bindMedianMillis", SizeResult::median)
          .figure("p99", "%.1f ms", "bindP99Millis", SizeResult::p99)
          .figure("p99 (resync)", "%.1f ms", "bindP99BesideResyncMillis", SizeResult::resyncedP99)
          .figure("idle cores", "%.3f", "idleCores", SizeResult::idle);

  private MillionBench(ApiServer server, int size) throws StatusException {
    this.server = server;
    this.probe = new BindProbe(server.handlers());
    this.size = size;
  }

  /**
   * Measures each size, prints a table, and writes JSON and a chart.
   *
   * @param sizes numbers of claims; none for the defaults
   */
  public static void measure(int... sizes) throws Exception {
    List<SizeResult> results = new ArrayList<>();
    for (int size : sizes.length > 0 ? sizes : SIZES) {
      try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
        results.add(new MillionBench(server, size).run());
      }
    }
    report(results);
  }

  private SizeResult run() throws Exception {
    fill();
    ResultWithoutResync withoutResync = measureWithoutResync();
    return measureWithResync(withoutResync);
  }

  private void fill() throws StatusException {
    BenchOutput.progress("filling the server with " + size + " claims and volumes ...");
    AttachedClusterFill fill = new AttachedClusterFill(server.handlers());
    for (int i = 0; i < size; i++) {
      fill.createBoundVolume(i);
      if ((i + 1) % 100_000 == 0) {
        BenchOutput.progress((i + 1) + " ...");
      }
    }
    System.gc(); // avoids a pause of the server during the measurement
  }

  private record ResultWithoutResync(
      double readySeconds, long idleMib, long peak, double cost, BindProbe.BindTimes binds) {}

  private ResultWithoutResync measureWithoutResync() throws Exception {
    try (ManagerProcess process = start(NO_RESYNC)) {
      double readySeconds = awaitReady();
      BenchOutput.progress("ready after %.1f s, %d MiB".formatted(readySeconds, process.peakMib()));
      process.awaitIdle();
      long idleMib = process.residentMib();
      probe.createVolumes(WARM_UP + BINDS);
      process.awaitIdle();
      probe.bind(WARM_UP);
      long ticksBefore = process.ticks();
      BindProbe.BindTimes binds = probe.bind(BINDS);
      double cost = (process.ticks() - ticksBefore) * 10.0 / BINDS;
      BenchOutput.progress("bind: %.2f ms of CPU time, p99 %.1f ms".formatted(cost, binds.p99()));
      return new ResultWithoutResync(readySeconds, idleMib, process.peakMib(), cost, binds);
    }
  }

  private SizeResult measureWithResync(ResultWithoutResync withoutResync) throws Exception {
    try (ManagerProcess process = start()) {
      awaitReady();
      probe.createVolumes(WARM_UP + (int) RESYNCED.dividedBy(PAUSE));
      probe.bind(WARM_UP);
      BindProbe.BindTimes binds = probe.bindFor(RESYNCED, PAUSE);
      double idle = process.measureCores((int) RESYNCED.toSeconds());
      BenchOutput.progress(
          "with resyncs: p99 %.1f ms, longest %.1f ms; %.3f CPU cores when idle"
              .formatted(binds.p99(), binds.longest(), idle));
      return new SizeResult(
          size,
          withoutResync.readySeconds,
          withoutResync.idleMib,
          Math.max(withoutResync.peak, process.peakMib()),
          withoutResync.cost,
          withoutResync.binds.median(),
          withoutResync.binds.p99(),
          binds.p99(),
          idle);
    }
  }

  private ManagerProcess start(String... flags) throws Exception {
    probe.createVolumes(1);
    return ManagerProcess.start(server, flags);
  }

  // Returns the seconds until a claim is bound that exists while the process fills its caches.
  private double awaitReady() throws StatusException {
    return probe.bindOne(START) / 1000;
  }

  private static void report(List<SizeResult> results) throws IOException {
    TABLE.print(results);
    SizeResult first = results.getFirst();
    SizeResult last = results.getLast();
    BenchOutput.reportLimit("ready within 90 s", last.readySeconds <= LIMIT_READY_SECONDS);
    BenchOutput.reportLimit("at most 2.5 GiB resident at the peak", last.peak <= LIMIT_PEAK_MIB);
    BenchOutput.reportLimit(
        "a bind costs at most %.0f times the CPU time at %d claims"
            .formatted(LIMIT_COST_RATIO, first.size),
        last.cost <= LIMIT_COST_RATIO * first.cost);
    BenchOutput.reportLimit(
        "p99 with resyncs at most 1.5 times the p99 without",
        last.resyncedP99 <= LIMIT_RESYNC_RATIO * last.p99);
    Map<String, List<ChartPoint>> curves = new LinkedHashMap<>();
    curves.put(
        "seconds until ready (limit at a million: 90)", curve(results, SizeResult::readySeconds));
    curves.put("peak MiB resident (limit at a million: 2,560)", curve(results, SizeResult::peak));
    curves.put("milliseconds of CPU time per bind", curve(results, SizeResult::cost));
    curves.put("bind p99, milliseconds", curve(results, SizeResult::p99));
    curves.put("bind p99 with resyncs, milliseconds", curve(results, SizeResult::resyncedP99));
    BenchOutput.write(
        "million", TABLE.json(results), CurveChart.svg("claims and volumes, each", curves));
  }

  private static List<ChartPoint> curve(
      List<SizeResult> results, ToDoubleFunction<SizeResult> figure) {
    return results.stream().map(r -> new ChartPoint(r.size, figure.applyAsDouble(r))).toList();
  }
}
