package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ResultTable;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Medians of all rounds of one contender.
 *
 * @param cost load on the server, measured in a separate round
 */
record ContenderSummary(
    BenchRound.RoundTask task, String contender, List<RoundResult> results, ServerCost cost) {
  private double median(ToDoubleFunction<RoundResult> figure) {
    double[] sorted = results.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  double rate() {
    return median(RoundResult::rate);
  }

  int done() {
    return results.stream().mapToInt(RoundResult::done).min().orElseThrow();
  }

  private String rateRange() {
    double slowest = results.stream().mapToDouble(RoundResult::rate).min().orElseThrow();
    double fastest = results.stream().mapToDouble(RoundResult::rate).max().orElseThrow();
    return "(%.0f–%.0f)".formatted(slowest, fastest);
  }

  static ResultTable<ContenderSummary> table(String title) {
    return new ResultTable<ContenderSummary>()
        .column(title, "%s", s -> s.task.title())
        .member("work", s -> s.task.work().title())
        .member("start", s -> s.task.start().option())
        .member("count", s -> s.task.count())
        .figure("contender", "%s", "contender", ContenderSummary::contender)
        .figure("done", "%d", "doneInTheWorstRound", ContenderSummary::done)
        .figure("per second", "%.0f", "perSecond", ContenderSummary::rate)
        .column("(min–max)", "%s", ContenderSummary::rateRange)
        .figure("first, s", "%.2f", "firstSeconds", s -> s.median(RoundResult::first))
        .figure("p50, s", "%.2f", "p50Seconds", s -> s.median(RoundResult::median))
        .figure("p99, s", "%.2f", "p99Seconds", s -> s.median(RoundResult::percentile99))
        .figure("CPU, s", "%.1f", "cpuSeconds", s -> s.median(RoundResult::cpuSeconds))
        .figure("peak, MiB", "%.0f", "peakMib", s -> s.median(RoundResult::peakMib))
        .figure("req/unit", "%.2f", "requestsPerUnit", s -> s.cost.requests())
        .figure("KiB/unit", "%.1f", "kibPerUnit", s -> s.cost.kib())
        .figure("conflicts", "%.0f", "conflicts", s -> s.cost.conflicts())
        .member("roundsPerSecond", s -> s.results.stream().map(RoundResult::rate).toList());
  }
}
