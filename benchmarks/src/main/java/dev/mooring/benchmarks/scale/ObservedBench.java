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
  private static final Set<String> ALL = Set.of("condition", "audit", "metrics");
  private static final double KILO = 1000;

  private record BurstPair(BindingCluster.BurstCost without, BindingCluster.BurstCost with) {}

  private record RatioQuartiles(double lower, double median, double upper) {
    static RatioQuartiles of(List<BurstPair> pairs, ToDoubleFunction<BurstPair> figure) {
      double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
      return new RatioQuartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double part) {
      double place = part * (sorted.length - 1);
      int below = (int) place;
      int above = Math.min(below + 1, sorted.length - 1);
      return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    String percent() {
      return "%5.1f %% (%.1f to %.1f)".formatted(100 * median, 100 * lower, 100 * upper);
    }
  }

  private final Set<String> parts;
  private final int pairs = Integer.getInteger("bench.pairs", 40);
  private final int claims = Integer.getInteger("bench.claims", 500);

  private ObservedBench(Set<String> parts) {
    this.parts = parts;
  }

  /**
   * Creates the benchmark for {@code --observed=PART,PART}. With {@code none} both clusters are
   * equal, which shows the error of measurement.
   *
   * @throws IllegalArgumentException if a part is unknown
   */
  static ObservedBench of(String flag) {
    String named = flag.contains("=") ? flag.substring(flag.indexOf('=') + 1) : "";
    Set<String> parts =
        named.isEmpty() ? ALL : named.equals("none") ? Set.of() : Set.of(named.split(","));
    if (!ALL.containsAll(parts)) {
      throw new IllegalArgumentException(
          flag + ": parts are condition, audit and metrics, or none");
    }
    return new ObservedBench(parts);
  }

  void run() throws Exception {
    List<BurstPair> measured = new ArrayList<>();
    try (BindingCluster without = BindingCluster.start(Set.of());
        BindingCluster with = BindingCluster.start(parts)) {
      for (int i = -WARM_UP; i < pairs; i++) {
        BurstPair pair = i % 2 == 0 ? withFirst(without, with) : withoutFirst(without, with);
        if (i >= 0) {
          measured.add(pair);
          System.err.printf(
              "%2d: without %4.0f binds/s, %5.2f ms of CPU, %4.0f kB each; with %4.0f, %5.2f, %4.0f%n",
              i + 1,
              rate(pair.without),
              processor(pair.without),
              kilobytes(pair.without),
              rate(pair.with),
              processor(pair.with),
              kilobytes(pair.with));
        }
      }
      for (BindingCluster side : List.of(without, with)) {
        if (side.writes() > 5L * claims * (pairs + WARM_UP) || side.conflicts() > 0) {
          throw new IllegalStateException(
              "%s writes, %s conflicts: the managers did other work than binding"
                  .formatted(side.writes(), side.conflicts()));
        }
      }
    }
    report(measured);
  }

  private BurstPair withFirst(BindingCluster without, BindingCluster with) throws Exception {
    BindingCluster.BurstCost first = with.burst(claims);
    return new BurstPair(without.burst(claims), first);
  }

  private BurstPair withoutFirst(BindingCluster without, BindingCluster with) throws Exception {
    BindingCluster.BurstCost first = without.burst(claims);
    return new BurstPair(first, with.burst(claims));
  }

  private double rate(BindingCluster.BurstCost of) {
    return claims / of.seconds();
  }

  private double processor(BindingCluster.BurstCost of) {
    return of.processor() * KILO / claims;
  }

  private double kilobytes(BindingCluster.BurstCost of) {
    return of.bytes() / KILO / claims;
  }

  private void report(List<BurstPair> measured) throws IOException {
    RatioQuartiles rate = RatioQuartiles.of(measured, p -> rate(p.with) / rate(p.without));
    RatioQuartiles processor =
        RatioQuartiles.of(measured, p -> processor(p.without) / processor(p.with));
    RatioQuartiles bytes =
        RatioQuartiles.of(measured, p -> kilobytes(p.without) / kilobytes(p.with));
    boolean met = rate.median >= LIMIT;
    String named =
        parts.isEmpty() ? "nothing" : String.join(", ", parts.stream().sorted().toList());
    System.out.printf(
        "with %s; %d pairs of bursts of %d claims; medians and quartiles%n",
        named, measured.size(), claims);
    System.out.printf(
        "remaining bind rate                     %s, limit %.0f %%, %s%n",
        rate.percent(), 100 * LIMIT, met ? "met" : "MISSED");
    System.out.printf("remaining binds per second of CPU time  %s%n", processor.percent());
    System.out.printf("remaining binds per byte allocated      %s%n", bytes.percent());
    System.out.printf(
        "without: %.0f binds/s, %.2f ms of CPU time and %.0f kB each, including server and network%n",
        RatioQuartiles.of(measured, p -> rate(p.without)).median,
        RatioQuartiles.of(measured, p -> processor(p.without)).median,
        RatioQuartiles.of(measured, p -> kilobytes(p.without)).median);
    JsonObject json = new JsonObject();
    json.addProperty("with", named);
    json.addProperty("pairs", measured.size());
    json.addProperty("claims", claims);
    json.addProperty("rateKept", rate.median);
    json.addProperty("processorKept", processor.median);
    json.addProperty("bytesKept", bytes.median);
    json.addProperty("limit", LIMIT);
    json.addProperty("met", met);
    BenchOutput.write("observed", json);
  }
}
