package dev.mooring.benchmarks.scale;

import com.google.gson.JsonObject;
import dev.mooring.benchmarks.BenchOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Question: which share of the bind rate remains with claim conditions, the audit log and reads of
 * metrics? Limit: 97 %. Two clusters with a manager each run in one process, one with these parts
 * and one without. They bind in turns, in bursts of about a second, and only one works at a time.
 * On a shared machine the speed varies: each burst is compared only with its neighbour, and the
 * median and quartiles of these ratios are printed. CPU time and bytes per bind are compared in the
 * same way; they depend less on other load.
 */
final class ObservedBench {
  private static final double LIMIT = 0.97;
  private static final int WARM_UP = 12;
  private static final Set<String> ALL_FEATURES = Set.of("condition", "audit", "metrics");
  private static final double KILO = 1000;

  private record BurstPair(BindingCluster.BurstCost plain, BindingCluster.BurstCost observed) {}

  private record RatioQuartiles(double lower, double median, double upper) {
    static RatioQuartiles of(List<BurstPair> pairs, ToDoubleFunction<BurstPair> figure) {
      double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
      return new RatioQuartiles(
          quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
    }

    private static double quantile(double[] sorted, double fraction) {
      double position = fraction * (sorted.length - 1);
      int below = (int) position;
      int above = Math.min(below + 1, sorted.length - 1);
      return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    String percent() {
      return "%5.1f %% (%.1f to %.1f)".formatted(100 * median, 100 * lower, 100 * upper);
    }
  }

  private final Set<String> features;
  private final int pairs = Integer.getInteger("bench.pairs", 40);
  private final int claims = Integer.getInteger("bench.claims", 500);

  private ObservedBench(Set<String> features) {
    this.features = features;
  }

  /**
   * Creates the benchmark for {@code --observed=PART,PART}. With {@code none} both clusters are
   * equal, which shows the error of measurement.
   *
   * @throws IllegalArgumentException if a part is unknown
   */
  static ObservedBench of(String flag) {
    String featureList = flag.contains("=") ? flag.substring(flag.indexOf('=') + 1) : "";
    Set<String> features =
        featureList.isEmpty()
            ? ALL_FEATURES
            : featureList.equals("none") ? Set.of() : Set.of(featureList.split(","));
    if (!ALL_FEATURES.containsAll(features)) {
      throw new IllegalArgumentException(
          flag + ": parts are condition, audit and metrics, or none");
    }
    return new ObservedBench(features);
  }

  void run() throws Exception {
    List<BurstPair> pairResults = new ArrayList<>();
    try (BindingCluster plain = BindingCluster.start(Set.of());
        BindingCluster observed = BindingCluster.start(features)) {
      for (int i = -WARM_UP; i < pairs; i++) {
        BurstPair pair =
            i % 2 == 0 ? measureObservedFirst(plain, observed) : measurePlainFirst(plain, observed);
        if (i >= 0) {
          pairResults.add(pair);
          System.err.printf(
              "%2d: without %4.0f binds/s, %5.2f ms of CPU, %4.0f kB each; with %4.0f, %5.2f, %4.0f%n",
              i + 1,
              rate(pair.plain),
              cpuMillis(pair.plain),
              kilobytes(pair.plain),
              rate(pair.observed),
              cpuMillis(pair.observed),
              kilobytes(pair.observed));
        }
      }
      for (BindingCluster cluster : List.of(plain, observed)) {
        if (cluster.writes() > 5L * claims * (pairs + WARM_UP) || cluster.conflicts() > 0) {
          throw new IllegalStateException(
              "%s writes, %s conflicts: the managers did other work than binding"
                  .formatted(cluster.writes(), cluster.conflicts()));
        }
      }
    }
    report(pairResults);
  }

  private BurstPair measureObservedFirst(BindingCluster plain, BindingCluster observed)
      throws Exception {
    BindingCluster.BurstCost first = observed.burst(claims);
    return new BurstPair(plain.burst(claims), first);
  }

  private BurstPair measurePlainFirst(BindingCluster plain, BindingCluster observed)
      throws Exception {
    BindingCluster.BurstCost first = plain.burst(claims);
    return new BurstPair(first, observed.burst(claims));
  }

  private double rate(BindingCluster.BurstCost cost) {
    return claims / cost.seconds();
  }

  private double cpuMillis(BindingCluster.BurstCost cost) {
    return cost.cpuSeconds() * KILO / claims;
  }

  private double kilobytes(BindingCluster.BurstCost cost) {
    return cost.bytes() / KILO / claims;
  }

  private void report(List<BurstPair> results) throws IOException {
    RatioQuartiles rate = RatioQuartiles.of(results, p -> rate(p.observed) / rate(p.plain));
    RatioQuartiles cpuRatio =
        RatioQuartiles.of(results, p -> cpuMillis(p.plain) / cpuMillis(p.observed));
    RatioQuartiles bytes =
        RatioQuartiles.of(results, p -> kilobytes(p.plain) / kilobytes(p.observed));
    boolean isMet = rate.median >= LIMIT;
    String featureNames =
        features.isEmpty() ? "nothing" : String.join(", ", features.stream().sorted().toList());
    System.out.printf(
        "with %s; %d pairs of bursts of %d claims; medians and quartiles%n",
        featureNames, results.size(), claims);
    System.out.printf(
        "remaining bind rate                     %s, limit %.0f %%, %s%n",
        rate.percent(), 100 * LIMIT, isMet ? "met" : "MISSED");
    System.out.printf("remaining binds per second of CPU time  %s%n", cpuRatio.percent());
    System.out.printf("remaining binds per byte allocated      %s%n", bytes.percent());
    System.out.printf(
        "without: %.0f binds/s, %.2f ms of CPU time and %.0f kB each, including server and network%n",
        RatioQuartiles.of(results, p -> rate(p.plain)).median,
        RatioQuartiles.of(results, p -> cpuMillis(p.plain)).median,
        RatioQuartiles.of(results, p -> kilobytes(p.plain)).median);
    JsonObject json = new JsonObject();
    json.addProperty("with", featureNames);
    json.addProperty("pairs", results.size());
    json.addProperty("claims", claims);
    json.addProperty("rateKept", rate.median);
    json.addProperty("processorKept", cpuRatio.median);
    json.addProperty("bytesKept", bytes.median);
    json.addProperty("limit", LIMIT);
    json.addProperty("met", isMet);
    BenchOutput.write("observed", json);
  }
}
