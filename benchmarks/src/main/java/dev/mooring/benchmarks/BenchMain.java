package dev.mooring.benchmarks;

import dev.mooring.benchmarks.cluster.ClusterBench;
import dev.mooring.benchmarks.pace.PaceBench;
import dev.mooring.benchmarks.scale.AttachBench;
import dev.mooring.benchmarks.scale.ConsoleBench;
import dev.mooring.benchmarks.scale.FloodBench;
import dev.mooring.benchmarks.scale.MemoryBench;
import dev.mooring.benchmarks.scale.MillionBench;
import dev.mooring.benchmarks.scale.PluginBench;
import dev.mooring.benchmarks.scale.ScaleBench;
import dev.mooring.benchmarks.scale.SimulateBench;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Main class of {@code mooring bench}: runs a short set of benchmarks, prints a table of figures,
 * limits and ratios to peers, and writes JSON and an SVG chart.
 */
public final class BenchMain {
  /**
   * A figure of the table.
   *
   * @param limit 0 for none
   * @param peer the benchmark to compare with; "" for none
   */
  private record BenchFigure(
      String name,
      String benchmark,
      String unit,
      double limit,
      boolean higherIsBetter,
      String peer) {
    static BenchFigure atLeast(
        String name, String benchmark, String unit, double limit, String peer) {
      return new BenchFigure(name, benchmark, unit, limit, true, peer);
    }

    static BenchFigure timed(String name, String benchmark, String peer) {
      return new BenchFigure(name, benchmark, "ns", 0, false, peer);
    }

    static BenchFigure atMost(String name, String benchmark, int volumes, double limit) {
      String peer = volumes > 1000 ? benchmark + " 1000" : "";
      return new BenchFigure(name, benchmark + " " + volumes, "ns", limit, false, peer);
    }
  }

  /**
   * A figure of JMH.
   *
   * @param allocated bytes per operation, of all threads of the process
   */
  private record Score(double value, double allocated) {
    static final Score NONE = new Score(Double.NaN, Double.NaN);
  }

  private record MeasuredFigure(
      BenchFigure figure, double score, double peerScore, double allocated) {
    /**
     * Returns whether the figure is within its limit; false for a queue that is slower than its
     * peer.
     */
    boolean isMet() {
      double limit = figure.limit();
      boolean isLimitReached =
          limit == 0 || (figure.higherIsBetter() ? score >= limit : score <= limit);
      boolean isSlowerThanPeer = figure.name().startsWith("queue") && score < peerScore;
      return isLimitReached && !isSlowerThanPeer;
    }

    double limit() {
      return figure.limit() == 0 ? Double.NaN : figure.limit();
    }

    boolean hasLimit() {
      return figure.limit() > 0;
    }

    double multipleOfLimit() {
      return figure.higherIsBetter() ? score / figure.limit() : figure.limit() / score;
    }

    String ratio() {
      return Double.isNaN(peerScore)
          ? ""
          : "%.2fx of %s".formatted(score / peerScore, figure.peer().replaceAll(".*\\.", ""));
    }
  }

  private static final List<BenchFigure> FIGURES =
      List.of(
          BenchFigure.atLeast(
              "queue: add-take-done, 1 thread",
              "WorkQueueBenchmark.cycle",
              "ops/s",
              6.6e6,
              "WorkQueueBenchmark.cyclePeer"),
          BenchFigure.atLeast(
              "queue: 8 threads, one queue",
              "WorkQueueBenchmark.shared",
              "ops/s",
              3.6e6,
              "WorkQueueBenchmark.sharedPeer"),
          BenchFigure.atLeast(
              "queue: duplicate additions", "WorkQueueBenchmark.dedup", "ops/s", 0, ""),
          BenchFigure.atLeast(
              "queue: delayed additions", "WorkQueueBenchmark.delayed", "ops/s", 0, ""),
          BenchFigure.atLeast(
              "queue: rate-limited additions", "WorkQueueBenchmark.rateLimited", "ops/s", 0, ""),
          BenchFigure.atMost("match among 1,000 volumes", "MatchBenchmark.match", 1000, 5000),
          BenchFigure.atMost("match among 10,000 volumes", "MatchBenchmark.match", 10_000, 5000),
          BenchFigure.atMost("match among 100,000 volumes", "MatchBenchmark.match", 100_000, 5000),
          BenchFigure.atLeast(
              "decode pods from protobuf",
              "DecodeBenchmark.protobuf",
              "pods/s",
              400_000,
              "DecodeBenchmark.jsonPeer"),
          BenchFigure.atLeast(
              "decode pods from JSON",
              "DecodeBenchmark.json",
              "pods/s",
              50_000,
              "DecodeBenchmark.jsonPeer"),
          BenchFigure.atLeast(
              "decode events of volumes", "DecodeBenchmark.volumeEvents", "events/s", 0, ""),
          BenchFigure.timed("patch without TLS", "RequestBenchmark.plain", ""),
          BenchFigure.timed("patch over TLS", "RequestBenchmark.tls", "RequestBenchmark.tlsPeer"),
          BenchFigure.atMost("reconcile pass among 1,000", "ReconcileBenchmark.pass", 1000, 0),
          BenchFigure.atMost("reconcile pass among 100,000", "ReconcileBenchmark.pass", 100_000, 0),
          BenchFigure.atMost("ten changes among 1,000 attached", "AttachBenchmark.pass", 1000, 0),
          BenchFigure.atMost(
              "ten changes among 10,000 attached", "AttachBenchmark.pass", 10_000, 0),
          BenchFigure.atMost(
              "ten changes among 100,000 attached", "AttachBenchmark.pass", 100_000, 0),
          BenchFigure.atLeast("embedded server: creates", "ServerLoad.creates", "/s", 8000, ""),
          BenchFigure.atLeast(
              "embedded server: watch events", "ServerLoad.events", "/s", 30_000, ""));

  private static final ResultTable<MeasuredFigure> TABLE =
      new ResultTable<MeasuredFigure>()
          .column("benchmark", "%s", m -> m.figure.name() + " (" + m.figure.unit() + ")")
          .member("name", m -> m.figure.name())
          .member("unit", m -> m.figure.unit())
          .figure("figure", "%,.0f", "score", MeasuredFigure::score)
          .figure("limit", "%,.0f", "limit", MeasuredFigure::limit)
          .column("", "%s", m -> !m.hasLimit() ? "" : m.isMet() ? "met" : "MISSED")
          .member("met", m -> m.hasLimit() ? m.isMet() : Double.NaN)
          .figure("bytes/op", "%,.0f", "allocated", MeasuredFigure::allocated)
          .column("ratio to the peer", "%s", MeasuredFigure::ratio)
          .member("peer", m -> Double.isNaN(m.peerScore) ? Double.NaN : m.figure.peer())
          .member("peerScore", MeasuredFigure::peerScore);

  private BenchMain() {}

  /**
   * Runs the benchmarks. Arguments are JMH's, {@code --full} for longer runs, or the option of
   * another benchmark of this module.
   */
  public static void main(String[] args) throws Exception {
    MachineLoad load = MachineLoad.sample();
    run(args);
    System.out.println(load.report());
  }

  private static void run(String[] args) throws Exception {
    List<String> arguments = List.of(args);
    if (arguments.contains("--scale")) {
      ScaleBench.main(args);
    } else if (arguments.contains("--attach")) {
      AttachBench.measure(sizes("--attach", arguments));
    } else if (arguments.contains("--million")) {
      MillionBench.measure(sizes("--million", arguments));
    } else if (arguments.contains("--flood")) {
      FloodBench.measure(sizes("--flood", arguments));
    } else if (arguments.contains("--pace")) {
      PaceBench.measure(sizes("--pace", arguments));
    } else if (arguments.contains("--simulate")) {
      SimulateBench.measure(sizes("--simulate", arguments));
    } else if (arguments.contains("--plugins")) {
      PluginBench.main(args);
    } else if (arguments.contains("--memory")) {
      MemoryBench.main(args);
    } else if (arguments.contains("--console")) {
      ConsoleBench.main(args);
    } else if (arguments.contains("--cluster")) {
      ClusterBench.main(args);
    } else if (arguments.contains("--decisions")) {
      DecisionBench.main(args);
    } else {
      measure(
          arguments.contains("--full"),
          arguments.stream().filter(a -> !a.equals("--full")).toArray(String[]::new));
    }
  }

  private static int[] sizes(String option, List<String> arguments) {
    try {
      return SizeArguments.of(option, arguments);
    } catch (IllegalArgumentException e) {
      throw makeRefusal(String.valueOf(e.getMessage()));
    }
  }

  private static void measure(boolean isFull, String... jmhArguments) throws Exception {
    OptionsBuilder options = options(isFull, jmhArguments);
    System.err.println("measuring, about " + (isFull ? "15 minutes" : "2 minutes") + " ...");
    Map<String, Score> scores = scores(run(options));
    if (jmhArguments.length == 0) {
      ServerLoad.measure().forEach((name, value) -> scores.put(name, new Score(value, Double.NaN)));
    }
    List<MeasuredFigure> measured =
        FIGURES.stream()
            .filter(figure -> scores.containsKey(figure.benchmark()))
            .map(figure ->
                new MeasuredFigure(
                    figure,
                    scores.getOrDefault(figure.benchmark(), Score.NONE).value(),
                    scores.getOrDefault(figure.peer(), Score.NONE).value(),
                    scores.getOrDefault(figure.benchmark(), Score.NONE).allocated()))
            .toList();
    TABLE.print(measured);
    Map<String, Double> multiples = new LinkedHashMap<>();
    measured.stream()
        .filter(MeasuredFigure::hasLimit)
        .forEach(m -> multiples.put(m.figure.name(), m.multipleOfLimit()));
    BenchOutput.write("bench", TABLE.json(measured), SvgChart.svg(multiples));
  }

  private static Collection<RunResult> run(OptionsBuilder options) throws RunnerException {
    try {
      return new Runner(options.build()).run();
    } catch (NoBenchmarksException e) {
      throw makeRefusal("no benchmark matches this name");
    }
  }

  private static IllegalArgumentException makeRefusal(String reason) {
    System.err.println("mooring: bench: " + reason + ": see './mooring bench --help'");
    System.exit(2);
    return new IllegalArgumentException(reason);
  }

  private static OptionsBuilder options(boolean isFull, String... jmhArguments) {
    OptionsBuilder options = new OptionsBuilder();
    try {
      options.parent(new CommandLineOptions(jmhArguments));
    } catch (CommandLineOptionException e) {
      throw makeRefusal(String.valueOf(e.getMessage()));
    }
    options
        .forks(1)
        .shouldFailOnError(true)
        .warmupIterations(isFull ? 5 : 2)
        .warmupTime(TimeValue.seconds(isFull ? 2 : 1))
        .measurementIterations(isFull ? 10 : 3)
        .measurementTime(TimeValue.seconds(isFull ? 2 : 1))
        .verbosity(VerboseMode.SILENT)
        .addProfiler(GCProfiler.class)
        .jvmArgsAppend("-Xmx2g", "--sun-misc-unsafe-memory-access=allow");
    return options;
  }

  private static Map<String, Score> scores(Collection<RunResult> results) {
    Map<String, Score> scores = new LinkedHashMap<>();
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1");
      String volumes = result.getParams().getParam("volumes");
      Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
      scores.put(
          volumes == null ? name : name + " " + volumes,
          new Score(
              result.getPrimaryResult().getScore(),
              allocated == null ? Double.NaN : allocated.getScore()));
    }
    return scores;
  }
}
