package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.benchmarks.ProcessUsage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ResultTest {
  private static final ProcessUsage USED = new ProcessUsage(1.5, 90, 100);

  private static long[] seconds(double... seconds) {
    return Arrays.stream(seconds).mapToLong(s -> (long) (s * 1e9)).toArray();
  }

  @Test
  void timesAreFromTheAskingToTheGoalAndTheRateIsOfAll() {
    Result result = Result.of(seconds(10, 11, 12, 13), seconds(11, 14, 12.5, 15), USED);

    assertThat(result).isEqualTo(new Result(4, 0.8, 0.5, 1, 3, 1.5, 100));
  }

  @Test
  void whatIsNeverDoneCountsNowhere() {
    long[] done = seconds(12, 14, 0);
    done[2] = Looking.NEVER;

    assertThat(Result.of(seconds(10, 10, 10), done, USED))
        .isEqualTo(new Result(2, 0.5, 2, 2, 4, 1.5, 100));
  }

  @Test
  void nothingDoneIsNoRate() {
    Result result = Result.of(seconds(10), new long[] {Looking.NEVER}, USED);

    assertThat(result.done()).isZero();
    assertThat(result.rate()).isZero();
    assertThat(result.first()).isNaN();
  }
}
