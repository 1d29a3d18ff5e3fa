package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Scenarios of Kubernetes' own attach/detach integration tests, with their expectations and time
 * limits. Two of the five are missing: {@code TestPodDeletionWithDswp} and {@code
 * TestPodAddedByDswp} edit the controller's cache directly, which this controller does not allow.
 * {@code InformerTest} covers their subject, changes without a watch event. Pods use a claim
 * instead of an inline volume, because plugins attach no inline volumes.
 */
class KubernetesOwnTestsTest {
  private static final String NODE = "node-sandbox";
  private static final String MOUNT = "example.com/lock-files/fake-mount";
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service=:NoExecute";

  @TempDir private Path directory;
  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private LockFiles plugin;
  private AttachDetachController controller;
  private StepwiseController steps;

  @BeforeEach
  void putVolume() {
    cluster.boundVolume("fake-mount", LockFiles.source("fake-mount"), Uid.NONE, "ReadWriteOnce");
  }

  private void start(Compat compat) throws InterruptedException {
    plugin = new LockFiles(directory);
    controller =
        new AttachDetachController(
            new AttachDetachConfig(Optional.of(Duration.ofSeconds(5)), true, false, compat),
            cluster.informers,
            cluster.ports(time),
            plugin);
    steps = new StepwiseController(controller.spec(), time);
    steps.start();
  }

  /** Waits for running jobs, because they write into the folder. */
  @AfterEach
  void stop() throws InterruptedException {
    awaitWithin(Duration.ofMinutes(1), steps::isIdle);
    steps.close();
  }

  /** Waits for the condition in controller time, in steps of 100 ms. */
  private void awaitWithin(Duration limit, BooleanSupplier condition) throws InterruptedException {
    long deadline = time.nanos() + limit.toNanos();
    TestWait.until(
        "the test continues",
        () -> {
          while (!condition.getAsBoolean()) {
            assertThat(time.nanos()).as("time limit").isLessThan(deadline);
            steps.settle();
            if (time.isWorking()) {
              return false;
            }
            time.advance(Duration.ofMillis(100)); // short delays also need time to run
          }
          return true;
        });
  }

  private void advanceTime(Duration span) throws InterruptedException {
    for (long remainingMillis = span.toMillis(); remainingMillis > 0; remainingMillis -= 100) {
      steps.settle();
      time.advance(Duration.ofMillis(100));
    }
    steps.settle();
  }

  private Pod podWithVolume(String name, Pod.Phase phase, boolean isDeleted) {
    return cluster.put(
        Kind.POD,
        TestObjects.pod(ObjectKey.of(AttachCluster.NS, name))
            .uid("uid-" + name)
            .created(1)
            .deleted(isDeleted ? 1 : 0)
            .nodeName(NODE)
            .claims("c-fake-mount")
            .phase(phase)
            .containersStopped(true) // no kubelet reports a running container
            .build());
  }

  private Map<String, String> listedVolumes() {
    return cluster.nodes.snapshot().get(ObjectKey.cluster(NODE)).orElseThrow().volumesAttached();
  }

  private int countNeededVolumes() {
    return controller.metrics().desired().values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * {@code TestPodTerminationWithNodeOOSDetach}. It writes the node twice from one read; a repair
   * of the status in between makes the second write, the taint, fail.
   */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void podTermination_nodeOutOfService_detaches(Compat compat) throws Exception {
    cluster.node(NODE, null, List.of(), List.of(), Map.of());
    start(compat);
    Pod pod = podWithVolume("fakepod", Pod.Phase.PENDING, false);
    awaitWithin(Duration.ofSeconds(120), () -> listedVolumes().containsKey(MOUNT));
    steps.settle();
    int writesBefore = cluster.statusPatches().size();
    cluster.node(NODE, null, List.of(), List.of(MOUNT), Map.of()); // status without the list
    podWithVolume("fakepod", Pod.Phase.PENDING, true);
    advanceTime(Duration.ofSeconds(5)); // polls of the test until the pod terminates
    assertThat(cluster.statusPatches()).as("writes before the taint").hasSize(writesBefore);
    assertThat(plugin.holder("fake-mount")).as("in use").isEqualTo(NODE);
    cluster.node(NODE, null, List.of(OUT_OF_SERVICE), List.of(MOUNT), Map.of());
    cluster.remove(cluster.pods, pod);
    awaitWithin(Duration.ofSeconds(60), () -> controller.metrics().forcedByTaint() == 1);
    awaitWithin(Duration.ofSeconds(60), () -> plugin.holder("fake-mount").isEmpty());
    assertThat(controller.metrics().forcedByTimeout()).isZero();
  }

  /** {@code TestPodUpdateWithADC}. */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void podUpdate_podSucceeds_removesVolumeFromDesiredState(Compat compat) throws Exception {
    cluster.node(NODE, null, List.of(), List.of(), Map.of());
    podWithVolume("fakepod", Pod.Phase.PENDING, false);
    start(compat);
    awaitWithin(Duration.ofSeconds(30), () -> countNeededVolumes() == 1);
    podWithVolume("fakepod", Pod.Phase.SUCCEEDED, false);
    awaitWithin(Duration.ofSeconds(20), () -> countNeededVolumes() == 0);
  }

  /** {@code TestPVCBoundWithADC}: claims become bound without a change or relist of the pods. */
  @Test
  void claims_boundAfterPodStart_entersDesiredState() throws Exception {
    cluster.node(NODE, null, List.of(), List.of(), Map.of());
    for (int i = 0; i < 3; i++) {
      cluster.pod(AttachCluster.NS, "pvcnotbound-" + i, NODE, "v" + i);
    }
    podWithVolume("fakepod", Pod.Phase.PENDING, false);
    start(Compat.KUBERNETES);
    advanceTime(Duration.ofSeconds(10));
    assertThat(countNeededVolumes()).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      cluster.boundVolume("v" + i, LockFiles.source("disk-" + i), Uid.NONE, "ReadWriteOnce");
    }
    awaitWithin(Duration.ofSeconds(60), () -> countNeededVolumes() == 4);
  }
}
