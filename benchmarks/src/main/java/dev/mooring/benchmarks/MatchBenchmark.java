package dev.mooring.benchmarks;

import dev.mooring.binder.DryRun;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Question: what does it cost to find and reserve a volume for a claim, and does the cost depend on
 * the number of volumes? Limit: 5 µs among 100,000, at most twice the cost among 1,000.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MatchBenchmark {
  @Param({"1000", "10000", "100000"})
  private int volumes;

  private final DryRun dryRun = new DryRun(BinderPolicy.DEFAULTS);
  private Claim[] claims = {};
  private int next;

  @Setup
  public void fill() {
    for (int i = 0; i < volumes; i++) {
      dryRun.add(SampleObjects.volume(i));
    }
    claims = new Claim[1000];
    for (int i = 0; i < claims.length; i++) {
      claims[i] = SampleObjects.claim((int) ((long) i * volumes / claims.length));
    }
  }

  @Benchmark
  public Optional<Volume> match() {
    next = next + 1 < claims.length ? next + 1 : 0;
    return dryRun.volumeFor(claims[next]);
  }
}
