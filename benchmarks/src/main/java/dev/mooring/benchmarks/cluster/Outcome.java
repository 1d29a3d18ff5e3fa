package dev.mooring.benchmarks.cluster;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What came of all rounds of one contender. */
record Outcome(Work work, String contender, List<Round.Result> results) {
  private double median(ToDoubleFunction<Round.Result> what) {
    double[] sorted = results.stream().mapToDouble(what).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** How many came to their goal a second, from the start to the last. */
  double rate() {
    return median(Round.Result::rate);
  }

  /** How many came to their goal in the worst round. */
  int done() {
    return results.stream().mapToInt(Round.Result::done).min().orElseThrow();
  }

  String line() {
    double slowest = results.stream().mapToDouble(Round.Result::rate).min().orElseThrow();
    double fastest = results.stream().mapToDouble(Round.Result::rate).max().orElseThrow();
    return "%-32s %-12s %6d %8.0f %14s %9.2f %9.2f %9.2f %7.1f %9.0f"
        .formatted(
            work.title(),
            contender,
            done(),
            rate(),
            "(%.0f–%.0f)".formatted(slowest, fastest),
            median(Round.Result::first),
            median(Round.Result::half),
            median(Round.Result::almostAll),
            median(Round.Result::cpuSeconds),
            median(Round.Result::peakMib));
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("work", work.title());
    json.addProperty("contender", contender);
    json.addProperty("doneInTheWorstRound", done());
    json.addProperty("perSecond", rate());
    json.addProperty("firstSeconds", median(Round.Result::first));
    json.addProperty("p50Seconds", median(Round.Result::half));
    json.addProperty("p99Seconds", median(Round.Result::almostAll));
    json.addProperty("cpuSeconds", median(Round.Result::cpuSeconds));
    json.addProperty("peakMib", median(Round.Result::peakMib));
    JsonArray rounds = new JsonArray();
    results.forEach(result -> rounds.add(result.rate()));
    json.add("roundsPerSecond", rounds);
    return json;
  }
}
