package dev.mooring.benchmarks;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.benchmarks.cluster.ClusterBench;
import dev.mooring.benchmarks.scale.AttachBench;
import dev.mooring.benchmarks.scale.ConsoleBench;
import dev.mooring.benchmarks.scale.FloodBench;
import dev.mooring.benchmarks.scale.MemoryBench;
import dev.mooring.benchmarks.scale.MillionBench;
import dev.mooring.benchmarks.scale.PluginBench;
import dev.mooring.benchmarks.scale.ScaleBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
  private record BenchFigure(
      String name,
      String benchmark,
      String unit,
      double limit,
      boolean higherIsBetter,
      String peer) {

    /**
     * Returns whether the figure is within its limit; false for a queue that is slower than its
     * peer.
     */
    boolean met(double score, @Nullable Double peerScore) {
      boolean reached = limit == 0 || (higherIsBetter ? score >= limit : score <= limit);
      boolean behind = name.startsWith("queue") && peerScore != null && score < peerScore;
      return reached && !behind;
    }
  }

  private static final List<BenchFigure> QUESTIONS =
      List.of(
          new BenchFigure(
              "queue: add-take-done, 1 thread",
              "WorkQueueBenchmark.cycle",
              "ops/s",
              6.6e6,
              true,
              "WorkQueueBenchmark.cyclePeer"),
          new BenchFigure(
              "queue: 8 threads, one queue",
              "WorkQueueBenchmark.shared",
              "ops/s",
              3.6e6,
              true,
              "WorkQueueBenchmark.sharedPeer"),
          new BenchFigure(
              "queue: duplicate additions", "WorkQueueBenchmark.dedup", "ops/s", 0, true, ""),
          new BenchFigure(
              "queue: delayed additions", "WorkQueueBenchmark.delayed", "ops/s", 0, true, ""),
          new BenchFigure(
              "queue: rate-limited additions",
              "WorkQueueBenchmark.rateLimited",
              "ops/s",
              0,
              true,
              ""),
          new BenchFigure(
              "match among 1,000 volumes", "MatchBenchmark.match 1000", "ns", 5000, false, ""),
          new BenchFigure(
              "match among 10,000 volumes", "MatchBenchmark.match 10000", "ns", 5000, false, ""),
          new BenchFigure(
              "match among 100,000 volumes",
              "MatchBenchmark.match 100000",
              "ns",
              5000,
              false,
              "MatchBenchmark.match 1000"),
          new BenchFigure(
              "decode pods from protobuf",
              "DecodeBenchmark.protobuf",
              "pods/s",
              400_000,
              true,
              "DecodeBenchmark.jsonPeer"),
          new BenchFigure(
              "decode pods from JSON",
              "DecodeBenchmark.json",
              "pods/s",
              50_000,
              true,
              "DecodeBenchmark.jsonPeer"),
          new BenchFigure(
              "reconcile pass among 1,000", "ReconcileBenchmark.pass 1000", "ns", 0, false, ""),
          new BenchFigure(
              "reconcile pass among 100,000",
              "ReconcileBenchmark.pass 100000",
              "ns",
              0,
              false,
              "ReconcileBenchmark.pass 1000"),
          new BenchFigure(
              "ten changes among 1,000 attached", "AttachBenchmark.pass 1000", "ns", 0, false, ""),
          new BenchFigure(
              "ten changes among 10,000 attached",
              "AttachBenchmark.pass 10000",
              "ns",
              0,
              false,
              "AttachBenchmark.pass 1000"),
          new BenchFigure(
              "ten changes among 100,000 attached",
              "AttachBenchmark.pass 100000",
              "ns",
              0,
              false,
              "AttachBenchmark.pass 1000"),
          new BenchFigure("embedded server: creates", "ServerLoad.creates", "/s", 8000, true, ""),
          new BenchFigure(
              "embedded server: watch events", "ServerLoad.events", "/s", 30_000, true, ""));

  private BenchMain() {}

  /**
   * Runs the benchmarks. Arguments are JMH's, {@code --full} for longer runs, or the option of
   * another benchmark of this module.
   */
  public static void main(String[] args) throws Exception {
    List<String> all = List.of(args);
    if (all.contains("--scale")) {
      ScaleBench.main(args);
    } else if (all.contains("--attach")) {
      AttachBench.measure(sizes("--attach", all));
    } else if (all.contains("--million")) {
      MillionBench.measure(sizes("--million", all));
    } else if (all.contains("--flood")) {
      FloodBench.measure(sizes("--flood", all));
    } else if (all.contains("--plugins")) {
      PluginBench.main(args);
    } else if (all.contains("--memory")) {
      MemoryBench.main(args);
    } else if (all.contains("--console")) {
      ConsoleBench.main(args);
    } else if (all.contains("--cluster")) {
      ClusterBench.main(args);
    } else if (all.contains("--decisions")) {
      DecisionBench.main(args);
    } else {
      measure(
          all.contains("--full"),
          all.stream().filter(a -> !a.equals("--full")).toArray(String[]::new));
    }
  }

  private static int[] sizes(String option, List<String> all) {
    try {
      return SizeArguments.of(option, all);
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private static void measure(boolean full, String... rest) throws Exception {
    OptionsBuilder options = options(full, rest);
    System.err.println("measuring, about " + (full ? "15 minutes" : "2 minutes") + " ...");
    Map<String, Double> scores = scores(run(options));
    if (rest.length == 0) {
      scores.putAll(ServerLoad.measure());
    }
    List<String> lines = table(scores);
    lines.forEach(System.out::println);
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(target.resolve("bench.json"), json(scores));
    Files.writeString(target.resolve("bench.svg"), SvgChart.svg(multiplesOfLimits(scores)));
    System.out.println(
        "written: " + target.resolve("bench.json") + ", " + target.resolve("bench.svg"));
  }

  private static Collection<RunResult> run(OptionsBuilder options) throws RunnerException {
    try {
      return new Runner(options.build()).run();
    } catch (NoBenchmarksException e) {
      throw refused("no benchmark matches this name");
    }
  }

  /** Exits; the return type only satisfies the compiler. */
  private static IllegalArgumentException refused(String why) {
    System.err.println("mooring: bench: " + why + ": see './mooring bench --help'");
    System.exit(2);
    return new IllegalArgumentException(why);
  }

  private static OptionsBuilder options(boolean full, String... rest) {
    OptionsBuilder options = new OptionsBuilder();
    try {
      options.parent(new CommandLineOptions(rest));
    } catch (CommandLineOptionException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
    options
        .forks(1)
        .warmupIterations(full ? 5 : 2)
        .warmupTime(TimeValue.seconds(full ? 2 : 1))
        .measurementIterations(full ? 10 : 3)
        .measurementTime(TimeValue.seconds(full ? 2 : 1))
        .verbosity(VerboseMode.SILENT)
        .jvmArgsAppend("-Xmx2g", "--sun-misc-unsafe-memory-access=allow");
    return options;
  }

  private static Map<String, Double> scores(Collection<RunResult> results) {
    Map<String, Double> scores = new LinkedHashMap<>();
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1");
      String volumes = result.getParams().getParam("volumes");
      scores.put(
          volumes == null ? name : name + " " + volumes, result.getPrimaryResult().getScore());
    }
    return scores;
  }

  private static List<String> table(Map<String, Double> scores) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%-34s %16s %16s %-8s %20s"
            .formatted("benchmark", "figure", "limit", "", "ratio to the peer"));
    for (BenchFigure q : QUESTIONS) {
      Double score = scores.get(q.benchmark());
      if (score == null) {
        continue;
      }
      Double peer = scores.get(q.peer());
      boolean met = q.met(score, peer);
      String ratio =
          peer == null
              ? ""
              : "%.2fx of %s".formatted(score / peer, q.peer().replaceAll(".*\\.", ""));
      lines.add(
          "%-34s %,16.0f %16s %-8s %20s"
              .formatted(
                  q.name() + " (" + q.unit() + ")",
                  score,
                  q.limit() == 0 ? "-" : "%,.0f".formatted(q.limit()),
                  q.limit() == 0 ? "" : met ? "met" : "MISSED",
                  ratio));
    }
    return lines;
  }

  private static Map<String, Double> multiplesOfLimits(Map<String, Double> scores) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (BenchFigure q : QUESTIONS) {
      Double score = scores.get(q.benchmark());
      if (score != null && q.limit() > 0) {
        ratios.put(q.name(), q.higherIsBetter() ? score / q.limit() : q.limit() / score);
      }
    }
    return ratios;
  }

  private static String json(Map<String, Double> scores) {
    JsonArray all = new JsonArray();
    for (BenchFigure q : QUESTIONS) {
      Double score = scores.get(q.benchmark());
      if (score != null) {
        JsonObject one = new JsonObject();
        one.addProperty("name", q.name());
        one.addProperty("unit", q.unit());
        one.addProperty("score", score);
        if (q.limit() > 0) {
          one.addProperty("limit", q.limit());
          one.addProperty("met", q.met(score, scores.get(q.peer())));
        }
        Double peer = scores.get(q.peer());
        if (peer != null) {
          one.addProperty("peer", q.peer());
          one.addProperty("peerScore", peer);
        }
        all.add(one);
      }
    }
    return new GsonBuilder().setPrettyPrinting().create().toJson(all);
  }
}
