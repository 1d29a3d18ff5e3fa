package dev.mooring.benchmarks;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.informer.Informer;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Question: what does it cost to take in ten changes and to reconcile the ten volumes concerned,
 * and does the cost depend on the number of attachments? Limit: twice the cost at 100 times fewer
 * attachments.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls fill() before anything else
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AttachBenchmark {
  private static final int CHANGES = 10;
  private static final int PER_NODE = 20;

  @Param({"1000", "10000", "100000"})
  private int volumes;

  private OfflineController controller;
  private Informer<Pod> pods;
  private long version = 10;
  private long passes;

  private Meta meta(ObjectKey key) {
    Map<String, String> annotations =
        key.namespace().isEmpty() && key.name().startsWith("n")
            ? Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true")
            : Map.of();
    return SampleObjects.meta(key, "uid-" + key.name(), ++version, annotations);
  }

  @Setup
  public void fill() throws InterruptedException {
    AttachDetachConfig config =
        new AttachDetachConfig(Optional.empty(), true, false, Compat.MOORING);
    controller =
        new OfflineController((informers, ports) ->
            new AttachDetachController(config, informers, ports, LoadedPlugins.NONE).spec());
    controller.fill(Kind.CLAIM, makeList(volumes, this::claim));
    controller.fill(Kind.VOLUME, makeList(volumes, this::volume));
    controller.fill(Kind.NODE, makeList(volumes / PER_NODE, this::node));
    pods = controller.fill(Kind.POD, makeList(volumes, this::pod));
    controller.start();
  }

  private static <T> List<T> makeList(int count, IntFunction<T> make) {
    return IntStream.range(0, count).mapToObj(make).toList();
  }

  private Node node(int n) {
    Map<String, String> attached = new HashMap<>();
    for (int i = 0; i < PER_NODE; i++) {
      attached.put("kubernetes.io/csi/d^h-" + (n * PER_NODE + i), "");
    }
    return new Node(
        meta(ObjectKey.cluster("n-" + n)),
        List.of(),
        "True",
        List.copyOf(attached.keySet()),
        attached);
  }

  private Claim claim(int i) {
    return new Claim(
        meta(ObjectKey.of("default", "c-" + i)),
        AccessModes.of("ReadWriteOnce"),
        Quantity.ZERO,
        "",
        "v-" + i,
        VolumeMode.FILESYSTEM,
        null,
        "",
        false,
        null,
        new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""));
  }

  private Volume volume(int i) {
    return new Volume(
        meta(ObjectKey.cluster("v-" + i)),
        Map.of(),
        VolumeSource.csi("d", "h-" + i),
        AccessModes.of("ReadWriteOnce"),
        new ClaimRef(ObjectKey.of("default", "c-" + i), Uid.of("uid-c-" + i)),
        ReclaimPolicy.RETAIN,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  private Pod pod(int i) {
    return new Pod(
        meta(ObjectKey.of("default", "p-" + i)),
        "n-" + i / PER_NODE,
        List.of("c-" + i),
        List.of(),
        Pod.Phase.RUNNING,
        false,
        false);
  }

  /**
   * Ten pods terminate, but their volumes stay attached because their nodes still use them. In the
   * next pass ten others start.
   */
  @Benchmark
  public long pass() throws InterruptedException {
    int start = (int) (passes % (volumes / CHANGES)) * CHANGES;
    boolean areTerminating = passes++ / (volumes / CHANGES) % 2 == 0;
    for (int i = start; i < start + CHANGES; i++) {
      Pod pod = pod(i);
      pods.applyOwnWrite(
          areTerminating
              ? new Pod(
                  pod.meta(),
                  pod.nodeName(),
                  pod.claims(),
                  pod.ephemeral(),
                  Pod.Phase.SUCCEEDED,
                  true,
                  false)
              : pod);
    }
    controller.settle();
    return version;
  }

  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    controller.stop();
  }
}
