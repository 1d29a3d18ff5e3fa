package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Question: which part of the bind rate is left when claims say why they wait, an audit log is
 * written and metrics are read? Bar: 97 %. Two clusters with a manager each, in one process, one
 * with all that and one without; they bind in turns, in bursts of about a second, and rest while it
 * is the other one's turn. A machine that others use is not as fast all the time: each burst is
 * compared with its neighbour only, and the median of these ratios is told, with the quartiles. In
 * the same way it is told what a bind costs in processor time and in bytes, which depends less on
 * who else is on the machine.
 */
final class ObservedBench {
  private static final double BAR = 0.97;
  private static final int WARM_UP = 12;
  private static final Set<String> ALL = Set.of("condition", "audit", "metrics");
  private static final double KILO = 1000;

  private record Pair(BindingSide.Burst without, BindingSide.Burst with) {}

  private record Spread(double lower, double median, double upper) {
    static Spread of(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
      double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
      return new Spread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
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
   * Measures what is named in {@code --observed=PART,PART}; {@code none} compares nothing with
   * nothing, which shows what the measure itself is worth.
   *
   * @throws IllegalArgumentException if there is no such part
   */
  static ObservedBench of(String flag) {
    String named = flag.contains("=") ? flag.substring(flag.indexOf('=') + 1) : "";
    Set<String> parts =
        named.isEmpty() ? ALL : named.equals("none") ? Set.of() : Set.of(named.split(","));
    if (!ALL.containsAll(parts)) {
      throw new IllegalArgumentException(
          flag + ": name some of condition, audit and metrics, or none");
    }
    return new ObservedBench(parts);
  }

  void run() throws Exception {
    List<Pair> measured = new ArrayList<>();
    try (BindingSide without = BindingSide.start(Set.of());
        BindingSide with = BindingSide.start(parts)) {
      for (int i = -WARM_UP; i < pairs; i++) {
        Pair pair = i % 2 == 0 ? withFirst(without, with) : withoutFirst(without, with);
        if (i >= 0) {
          measured.add(pair);
          System.err.printf(
              "%2d: without %4.0f binds/s, %5.2f ms of processor, %4.0f kB each; with %4.0f, %5.2f, %4.0f%n",
              i + 1,
              rate(pair.without),
              processor(pair.without),
              kilobytes(pair.without),
              rate(pair.with),
              processor(pair.with),
              kilobytes(pair.with));
        }
      }
      for (BindingSide side : List.of(without, with)) {
        if (side.writes() > 5L * claims * (pairs + WARM_UP) || side.conflicts() > 0) {
          throw new IllegalStateException(
              side.writes() + " writes, " + side.conflicts() + " conflicts: not what is measured");
        }
      }
    }
    tell(measured);
  }

  private Pair withFirst(BindingSide without, BindingSide with) throws Exception {
    BindingSide.Burst first = with.burst(claims);
    return new Pair(without.burst(claims), first);
  }

  private Pair withoutFirst(BindingSide without, BindingSide with) throws Exception {
    BindingSide.Burst first = without.burst(claims);
    return new Pair(first, with.burst(claims));
  }

  private double rate(BindingSide.Burst of) {
    return claims / of.seconds();
  }

  private double processor(BindingSide.Burst of) {
    return of.processor() * KILO / claims;
  }

  private double kilobytes(BindingSide.Burst of) {
    return of.bytes() / KILO / claims;
  }

  private void tell(List<Pair> measured) throws IOException {
    Spread rate = Spread.of(measured, p -> rate(p.with) / rate(p.without));
    Spread processor = Spread.of(measured, p -> processor(p.without) / processor(p.with));
    Spread bytes = Spread.of(measured, p -> kilobytes(p.without) / kilobytes(p.with));
    boolean met = rate.median >= BAR;
    String named =
        parts.isEmpty() ? "nothing" : String.join(", ", parts.stream().sorted().toList());
    System.out.printf(
        "with %s; %d pairs of bursts of %d claims; medians and quartiles%n",
        named, measured.size(), claims);
    System.out.printf(
        "left of the bind rate                   %s, bar %.0f %%, %s%n",
        rate.percent(), 100 * BAR, met ? "met" : "MISSED");
    System.out.printf("left of binds per second of processor   %s%n", processor.percent());
    System.out.printf("left of binds per byte allocated        %s%n", bytes.percent());
    System.out.printf(
        "without: %.0f binds/s, %.2f ms of processor and %.0f kB each, server and network included%n",
        Spread.of(measured, p -> rate(p.without)).median,
        Spread.of(measured, p -> processor(p.without)).median,
        Spread.of(measured, p -> kilobytes(p.without)).median);
    JsonObject json = new JsonObject();
    json.addProperty("with", named);
    json.addProperty("pairs", measured.size());
    json.addProperty("claims", claims);
    json.addProperty("rateKept", rate.median);
    json.addProperty("processorKept", processor.median);
    json.addProperty("bytesKept", bytes.median);
    json.addProperty("bar", BAR);
    json.addProperty("met", met);
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("observed.json"),
        new GsonBuilder().setPrettyPrinting().create().toJson(json));
  }
}
