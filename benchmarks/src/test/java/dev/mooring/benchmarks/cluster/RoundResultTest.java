package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.benchmarks.ProcessUsage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RoundResultTest {
  private static final ProcessUsage USAGE = new ProcessUsage(1.5, 90, 100);

  private static long[] seconds(double... seconds) {
    return Arrays.stream(seconds).mapToLong(s -> (long) (s * 1e9)).toArray();
  }

  @Test
  void of_allUnitsDone_measuresEachFromItsRequest() {
    RoundResult result = RoundResult.of(seconds(10, 11, 12, 13), seconds(11, 14, 12.5, 15), USAGE);

    assertThat(result).isEqualTo(new RoundResult(4, 0.8, 0.5, 1, 3, 1.5, 100));
  }

  @Test
  void of_oneUnitNotDone_excludesIt() {
    long[] doneAt = seconds(12, 14, 0);
    doneAt[2] = CompletionPoller.NEVER;

    assertThat(RoundResult.of(seconds(10, 10, 10), doneAt, USAGE))
        .isEqualTo(new RoundResult(2, 0.5, 2, 2, 4, 1.5, 100));
  }

  @Test
  void of_noUnitDone_hasNoRate() {
    RoundResult result = RoundResult.of(seconds(10), new long[] {CompletionPoller.NEVER}, USAGE);

    assertThat(result.done()).isZero();
    assertThat(result.rate()).isZero();
    assertThat(result.first()).isNaN();
  }
}
