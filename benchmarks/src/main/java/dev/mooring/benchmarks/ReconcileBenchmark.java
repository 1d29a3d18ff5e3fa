package dev.mooring.benchmarks;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.storage.LoadedPlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Question: what does one reconcile pass of a bound claim cost, from the observed change through
 * queue, view and decision to "nothing to do", and does the cost depend on the number of claims?
 * Limits: the cycle of the queue alone, and twice the cost of the same pass with 100 times fewer
 * claims.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls fill() before anything else
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReconcileBenchmark {
  private static final int CHANGES = 1000;

  @Param({"1000", "100000"})
  private int volumes;

  private OfflineController controller;
  private Informer<Claim> claims;
  private long version;

  @Setup
  public void fill() throws InterruptedException {
    version = volumes + 10L;
    List<Claim> boundClaims = new ArrayList<>(volumes);
    List<Volume> boundVolumes = new ArrayList<>(volumes);
    for (int i = 0; i < volumes; i++) {
      boundClaims.add(SampleObjects.boundClaim(i, i + 1L));
      boundVolumes.add(SampleObjects.boundVolume(i));
    }
    controller =
        new OfflineController((informers, ports) ->
            new BinderController(BinderConfig.DEFAULTS, informers, ports, LoadedPlugins.NONE)
                .spec());
    claims = controller.fill(Kind.CLAIM, boundClaims);
    controller.fill(Kind.VOLUME, boundVolumes);
    controller.start();
  }

  @Benchmark
  @OperationsPerInvocation(CHANGES)
  public long pass() {
    for (int i = 0; i < CHANGES; i++) {
      claims.applyOwnWrite(SampleObjects.boundClaim(i, ++version));
    }
    controller.settle();
    return version;
  }

  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    controller.stop();
  }
}
