package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderConfig.DeletionLimit;
import dev.mooring.binder.BinderConfig.RecycleConfig;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.RunningController;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Blocks writes to the volumes of one namespace. */
class SlowNamespaceTest {
  private static final int WORKERS = 8;
  private static final int MANY = 40;

  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();

  private BinderController controller(Time time) {
    return new BinderController(
        new BinderConfig(
            Duration.ofMinutes(10),
            WORKERS,
            BinderPolicy.DEFAULTS,
            RecycleConfig.DEFAULTS,
            DeletionLimit.DEFAULT),
        cluster.informers(),
        TestPorts.of(server, cluster, time),
        LoadedPlugins.NONE);
  }

  /** Adds a volume that is reserved for a claim that does not exist yet. */
  private void reservedVolume(String namespace, int number) {
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume(namespace + "-" + number)
            .claimRef(ObjectKey.of(namespace, "c" + number), "")
            .build());
  }

  private boolean isAvailable(String name) {
    return cluster.get(Kind.VOLUME, ObjectKey.cluster(name)).phase() == VolumePhase.AVAILABLE;
  }

  @Test
  void volumes_ofSlowNamespace_leaveWorkersToOthers() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger waiting = new AtomicInteger();
    server.onWrite(asked -> {
      if (asked.kind().equals(Kind.VOLUME) && asked.key().name().startsWith("slow")) {
        waiting.incrementAndGet();
        await(gate);
      }
      return null;
    });
    try (SystemTime time = new SystemTime();
        RunningController _ = RunningController.start(controller(time).spec(), time)) {
      for (int i = 0; i < MANY; i++) {
        reservedVolume("slow", i);
      }
      int maximum = WORKERS - WORKERS / 4;
      TestWait.until("workers wait for the slow namespace", () -> waiting.get() == maximum);
      reservedVolume("other", 0);
      TestWait.until("the other volume is available", () -> isAvailable("other-0"));
      assertThat(waiting).hasValue(maximum);
      gate.countDown();
      TestWait.until("all volumes are available", () -> isAvailable("slow-" + (MANY - 1)));
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
