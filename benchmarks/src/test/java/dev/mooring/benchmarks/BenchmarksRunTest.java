package dev.mooring.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark once, since nothing else in the ordinary build runs them. */
class BenchmarksRunTest {
  /** Much longer than any benchmark takes; only a hanging benchmark exceeds it. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final String SMALLEST = "1000";

  @TestFactory
  Stream<DynamicTest> benchmark_oneShot_yieldsFigure() {
    Set<BenchmarkListEntry> benchmarks =
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                List.of());
    assertThat(benchmarks).as("benchmarks found by the build").hasSizeGreaterThan(10);
    return benchmarks.stream()
        .map(BenchmarkListEntry::getUsername)
        .distinct()
        .map(name -> DynamicTest.dynamicTest(name, () -> runOnce(name)));
  }

  private static void runOnce(String benchmark) throws Exception {
    Options options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(benchmark) + "$")
            .param("volumes", SMALLEST)
            .mode(Mode.SingleShotTime)
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .timeout(TimeValue.seconds(30))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results =
        assertTimeoutPreemptively(
            TIMEOUT, () -> new Runner(options).run(), () -> benchmark + " did not finish");
    assertThat(results).hasSize(1);
    assertThat(results.iterator().next().getPrimaryResult().getScore()).isPositive();
  }
}
