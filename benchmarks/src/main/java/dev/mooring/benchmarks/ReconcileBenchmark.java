package dev.mooring.benchmarks;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.SystemTime;
import java.time.Duration;
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
  private static final int AT_ONCE = 1000;

  @Param({"1000", "100000"})
  private int volumes;

  private final SystemTime time = new SystemTime();
  private final NoServer unreachable = new NoServer();
  private KnownObjects objects;
  private ControllerRuntime controller;
  private Informer<Claim> claims;
  private long version;

  @Setup
  public void fill() throws InterruptedException {
    version = volumes + 10L;
    List<Claim> bound = new ArrayList<>(volumes);
    List<Volume> taken = new ArrayList<>(volumes);
    for (int i = 0; i < volumes; i++) {
      bound.add(SampleObjects.boundClaim(i, i + 1L));
      taken.add(SampleObjects.boundVolume(i));
    }
    SharedInformers informers = new SharedInformers();
    controller =
        new ControllerRuntime(
            new BinderController(
                    BinderConfig.DEFAULTS,
                    informers,
                    new ClusterPorts(
                        unreachable,
                        unreachable,
                        event -> {},
                        (pod, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    LoadedPlugins.NONE)
                .spec(),
            time);
    objects = new KnownObjects(informers, time);
    claims = objects.fill(Kind.CLAIM, bound);
    objects.fill(Kind.VOLUME, taken);
    objects.fillOthersEmpty(controller.reads());
    controller.start();
    settle();
  }

  private void settle() {
    while (!controller.isIdle()) {
      Thread.onSpinWait();
    }
  }

  /** Changes some claims in ways that require no action. */
  @Benchmark
  @OperationsPerInvocation(AT_ONCE)
  public long pass() {
    for (int i = 0; i < AT_ONCE; i++) {
      claims.applyOwnWrite(SampleObjects.boundClaim(i, ++version));
    }
    settle();
    return version;
  }

  /** Stops everything; fails if a pass has written, because then it measured something else. */
  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    controller.stop(Duration.ofSeconds(5));
    objects.stop();
    time.close();
    if (unreachable.requests() != 0) {
      throw new IllegalStateException(
          unreachable.requests() + " writes for claims that are already bound");
    }
  }
}
