package dev.mooring.benchmarks.pace;

import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.ResultTable;
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.benchmarks.pace.PaceSimulation.AttachTimes;
import dev.mooring.benchmarks.pace.PaceSimulation.Phase;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Question: does the pace of calls reach what a driver accepts, without tuning? A simulated cloud
 * accepts 10, then 100, then 5 calls per second. Limit: 95 % of the best constant in each phase.
 * Then 1,000 detachments are queued beside single attachments. Limit: an attach p99 at most 1.2
 * times that without them. Time is simulated; a seed repeats its cloud.
 */
public final class PaceBench {
  private static final int CLOUDS = 20;
  private static final double MIN_SHARE = 0.95;
  private static final double MAX_ATTACH_RATIO = 1.2;

  private record CloudResult(long seed, List<Phase> phases, AttachTimes times) {
    static CloudResult of(long seed) {
      PaceSimulation simulation = new PaceSimulation(seed);
      return new CloudResult(seed, simulation.runPhases(), simulation.measureAttachTimes());
    }

    double share(int phase) {
      return phases.get(phase).share();
    }

    double untunedShare(int phase) {
      return phases.get(phase).untuned() / phases.get(phase).tuned();
    }

    double untunedRatio() {
      return times.untuned() / times.alone();
    }
  }

  private static final ResultTable<CloudResult> TABLE =
      new ResultTable<CloudResult>()
          .figure("seed", "%d", "seed", CloudResult::seed)
          .figure("10/s", "%.3f", "share10", result -> result.share(0))
          .figure("100/s", "%.3f", "share100", result -> result.share(1))
          .figure("5/s", "%.3f", "share5", result -> result.share(2))
          .figure("10/s, 100 workers", "%.3f", "untuned10", result -> result.untunedShare(0))
          .figure("100/s, 100 workers", "%.3f", "untuned100", result -> result.untunedShare(1))
          .figure("5/s, 100 workers", "%.3f", "untuned5", result -> result.untunedShare(2))
          .figure("attach p99 ratio", "%.2f", "attachRatio", result -> result.times().ratio())
          .figure("100 workers", "%.2f", "untunedAttachRatio", CloudResult::untunedRatio);

  private PaceBench() {}

  /**
   * Runs the clouds, prints a table, and writes JSON and a chart of the first cloud.
   *
   * @param seeds seeds of the clouds; none for the defaults
   */
  public static void measure(int... seeds) throws IOException {
    IntStream chosen = seeds.length == 0 ? IntStream.rangeClosed(1, CLOUDS) : IntStream.of(seeds);
    List<CloudResult> results =
        chosen
            .peek(seed -> BenchOutput.progress("cloud " + seed))
            .mapToObj(CloudResult::of)
            .toList();
    TABLE.print(results);
    double share =
        results.stream()
            .flatMap(result -> result.phases().stream())
            .mapToDouble(Phase::share)
            .min()
            .orElseThrow();
    double ratio =
        results.stream().mapToDouble(result -> result.times().ratio()).max().orElseThrow();
    BenchOutput.reportLimit(
        "smallest share of the best constant: %.3f (limit %.2f)".formatted(share, MIN_SHARE),
        share >= MIN_SHARE);
    BenchOutput.reportLimit(
        "largest ratio of attach p99 beside %,d detachments: %.2f (limit %.1f)"
            .formatted(PaceSimulation.STORM_DETACHES, ratio, MAX_ATTACH_RATIO),
        ratio <= MAX_ATTACH_RATIO);
    BenchOutput.write(
        "pace",
        TABLE.json(results),
        SvgChart.line(
            "calls per second of a cloud that accepts 10, 100, then 5; time in seconds",
            new PaceSimulation(results.getFirst().seed()).plotPhases(),
            PaceSimulation.RATES.get(1)));
  }
}
