package dev.mooring.benchmarks.cluster;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Medians of all rounds of one contender.
 *
 * @param cost load on the server, measured in a separate round
 */
record ContenderSummary(
    BenchRound.RoundTask task, String contender, List<RoundResult> results, ServerCost cost) {
  private double median(ToDoubleFunction<RoundResult> what) {
    double[] sorted = results.stream().mapToDouble(what).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  double rate() {
    return median(RoundResult::rate);
  }

  int done() {
    return results.stream().mapToInt(RoundResult::done).min().orElseThrow();
  }

  String line() {
    double slowest = results.stream().mapToDouble(RoundResult::rate).min().orElseThrow();
    double fastest = results.stream().mapToDouble(RoundResult::rate).max().orElseThrow();
    return "%-46s %-12s %6d %10.0f %14s %9.2f %9.2f %9.2f %7.1f %9.0f %s"
        .formatted(
            task.title(),
            contender,
            done(),
            rate(),
            "(%.0f–%.0f)".formatted(slowest, fastest),
            median(RoundResult::first),
            median(RoundResult::half),
            median(RoundResult::almostAll),
            median(RoundResult::cpuSeconds),
            median(RoundResult::peakMib),
            cost.line());
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("work", task.work().title());
    json.addProperty("start", task.start().option());
    json.addProperty("count", task.count());
    json.addProperty("contender", contender);
    json.addProperty("doneInTheWorstRound", done());
    json.addProperty("perSecond", rate());
    if (done() > 0) { // JSON has no NaN
      json.addProperty("firstSeconds", median(RoundResult::first));
      json.addProperty("p50Seconds", median(RoundResult::half));
      json.addProperty("p99Seconds", median(RoundResult::almostAll));
    }
    json.addProperty("cpuSeconds", median(RoundResult::cpuSeconds));
    json.addProperty("peakMib", median(RoundResult::peakMib));
    cost.addTo(json);
    JsonArray rounds = new JsonArray();
    results.forEach(result -> rounds.add(result.rate()));
    json.add("roundsPerSecond", rounds);
    return json;
  }
}
