package dev.mooring.benchmarks.cluster;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What came of all rounds of one contender.
 *
 * @param cost what it cost the server, in a round of its own
 */
record ContenderSummary(Round.Task task, String contender, List<Result> results, Cost cost) {
  private double median(ToDoubleFunction<Result> what) {
    double[] sorted = results.stream().mapToDouble(what).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** How many came to their goal a second, from the start to the last. */
  double rate() {
    return median(Result::rate);
  }

  /** How many came to their goal in the worst round. */
  int done() {
    return results.stream().mapToInt(Result::done).min().orElseThrow();
  }

  String line() {
    double slowest = results.stream().mapToDouble(Result::rate).min().orElseThrow();
    double fastest = results.stream().mapToDouble(Result::rate).max().orElseThrow();
    return "%-46s %-12s %6d %8.0f %14s %9.2f %9.2f %9.2f %7.1f %9.0f %s"
        .formatted(
            task.title(),
            contender,
            done(),
            rate(),
            "(%.0f–%.0f)".formatted(slowest, fastest),
            median(Result::first),
            median(Result::half),
            median(Result::almostAll),
            median(Result::cpuSeconds),
            median(Result::peakMib),
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
    if (done() > 0) { // JSON has nothing for what is not a number
      json.addProperty("firstSeconds", median(Result::first));
      json.addProperty("p50Seconds", median(Result::half));
      json.addProperty("p99Seconds", median(Result::almostAll));
    }
    json.addProperty("cpuSeconds", median(Result::cpuSeconds));
    json.addProperty("peakMib", median(Result::peakMib));
    cost.addTo(json);
    JsonArray rounds = new JsonArray();
    results.forEach(result -> rounds.add(result.rate()));
    json.add("roundsPerSecond", rounds);
    return json;
  }
}
