package dev.mooring.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.RunningController;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Writes to the volumes of one namespace block. */
class SlowNamespaceTest {
  private static final int WORKERS = 8;
  private static final int MANY = 40;

  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();

  private ProvisionController controller(Time time) {
    ProvisionConfig config =
        new ProvisionConfig(
            WORKERS,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            "ours",
            DriverNames.OF_VOLUMES,
            ProvisionConfig.Thresholds.NONE);
    return new ProvisionController(
        new ProvisionedStorage(
            "ours",
            new FakeStorage(),
            config,
            wake -> {},
            wake -> {},
            Optional.empty(),
            Optional.empty()),
        cluster.informers(),
        TestPorts.of(server, cluster, time),
        new SharedState(
            TestGuards.of(new DeletionBreaker(1000, Duration.ofMinutes(10), time), time),
            new SavedVolumes(),
            new ProtectionHandover()));
  }

  /** Creates a bound volume without the provisioner's finalizer. */
  private void boundVolume(String namespace, int number) {
    String name = namespace + "-" + number;
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume(name)
            .source(VolumeSource.csi("ours", name))
            .claimRef(ObjectKey.of(namespace, "c" + number), "u" + number)
            .reclaimPolicy(ReclaimPolicy.DELETE)
            .phase(VolumePhase.BOUND)
            .build());
  }

  private boolean isProtected(String name) {
    return cluster
        .get(Kind.VOLUME, ObjectKey.cluster(name))
        .finalizers()
        .contains(VolumeRules.FINALIZER);
  }

  @Test
  void volumes_ofSlowNamespace_leaveWorkersToOthers() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger waiting = new AtomicInteger();
    server.onWrite(asked -> {
      if (asked.key().name().startsWith("slow")) {
        waiting.incrementAndGet();
        await(gate);
      }
      return null;
    });
    try (SystemTime time = new SystemTime();
        RunningController _ = RunningController.start(controller(time).spec(), time)) {
      for (int i = 0; i < MANY; i++) {
        boundVolume("slow", i);
      }
      int maximum = WORKERS - WORKERS / 4;
      TestWait.until("workers wait for the slow namespace", () -> waiting.get() == maximum);
      boundVolume("other", 0);
      TestWait.until("the other volume has its finalizer", () -> isProtected("other-0"));
      assertThat(waiting).hasValue(maximum);
      gate.countDown();
      TestWait.until("all volumes have theirs", () -> isProtected("slow-" + (MANY - 1)));
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
