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
import dev.mooring.storage.Plugins;
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
 * queue, view and decision to "nothing to do", and does it depend on how many claims there are?
 * Limit beside it: the queue's own cycle, and the same pass with 100 times fewer claims (at most
 * twice that).
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls fill() before anything else
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReconcileBenchmark {
  private static final int AT_ONCE = 1000;

  /** Bound pairs. */
  @Param({"1000", "100000"})
  private int volumes;

  private final SystemTime time = new SystemTime();
  private final NoServer nobody = new NoServer();
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
      bound.add(Samples.boundClaim(i, i + 1L));
      taken.add(Samples.boundVolume(i));
    }
    SharedInformers informers = new SharedInformers();
    controller =
        new ControllerRuntime(
            new BinderController(
                    BinderConfig.DEFAULTS,
                    informers,
                    new ClusterPorts(
                        nobody,
                        nobody,
                        event -> {},
                        (pod, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    Plugins.NONE)
                .spec(),
            time);
    objects = new KnownObjects(informers, time);
    claims = objects.are(Kind.CLAIM, bound);
    objects.are(Kind.VOLUME, taken);
    objects.areAllOf(controller.reads());
    controller.start();
    settle();
  }

  private void settle() {
    while (!controller.isIdle()) {
      Thread.onSpinWait();
    }
  }

  /** That many claims change, and nothing has to be done about it. */
  @Benchmark
  @OperationsPerInvocation(AT_ONCE)
  public long pass() {
    for (int i = 0; i < AT_ONCE; i++) {
      claims.wrote(Samples.boundClaim(i, ++version));
    }
    settle();
    return version;
  }

  /** Stops everything; a pass that wrote would have measured something else. */
  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    controller.stop(Duration.ofSeconds(5));
    objects.stop();
    time.close();
    if (nobody.asked() != 0) {
      throw new IllegalStateException(
          nobody.asked() + " writes for claims that were bound already");
    }
  }
}
