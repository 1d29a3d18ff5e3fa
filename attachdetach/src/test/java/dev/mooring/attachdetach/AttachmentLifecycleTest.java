package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.RetainedElements;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes, pods and volumes appear, meet every kind of fault, and disappear without leaving state
 * behind. {@code -Dmooring.attach.lives=10000} sets the number of volumes.
 */
class AttachmentLifecycleTest {
  private static final int CONCURRENT_VOLUMES = 100;
  private static final int VOLUMES = Integer.getInteger("mooring.attach.lives", 1000);

  /** Scenario of a volume. */
  private enum Scenario {
    PLAIN,
    REFUSED_BY_THE_DRIVER,
    REFUSED_BY_THE_SERVER,
    NODE_GONE_IN_USE,
    NODE_DEAD_IN_USE,
    SHARED_BY_TWO,
    WAITED_FOR,
    POD_REPLACED,
    ATTACHMENT_GONE
  }

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final AttachDetachController controller =
      new AttachDetachController(
          new AttachDetachConfig(Optional.of(Duration.ofMinutes(1)), true, true, Compat.MOORING),
          cluster.informers,
          cluster.ports(time),
          LoadedPlugins.NONE);
  private final StepwiseController steps = new StepwiseController(controller.spec(), time);
  private int volumeCount;

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private static Scenario scenarioOf(String volume) {
    return Scenario.values()[Integer.parseInt(volume.substring(1)) % Scenario.values().length];
  }

  private static String id(String volume) {
    return "kubernetes.io/csi/d^h-" + volume;
  }

  private void createObjects(String volume) {
    Scenario scenario = scenarioOf(volume);
    boolean hasTwoNodes = scenario == Scenario.SHARED_BY_TWO || scenario == Scenario.WAITED_FOR;
    cluster.boundVolume(
        volume, scenario == Scenario.SHARED_BY_TWO ? "ReadWriteMany" : "ReadWriteOnce");
    cluster.node("n-" + volume);
    cluster.pod(AttachCluster.NS, "p-" + volume, "n-" + volume, volume);
    if (hasTwoNodes) {
      cluster.node("m-" + volume);
      cluster.pod(AttachCluster.NS, "q-" + volume, "m-" + volume, volume);
    }
  }

  /** Simulates the CSI drivers and clients that delete attachments. */
  private void simulateDrivers() {
    for (Attachment attachment : cluster.attachments.snapshot().objects()) {
      Scenario scenario = scenarioOf(attachment.volumeName());
      if (attachment.meta().isBeingDeleted()) {
        cluster.remove(cluster.attachments, attachment);
      } else if (scenario == Scenario.REFUSED_BY_THE_DRIVER) {
        if (attachment.attachError().isEmpty()) {
          cluster.attachment(
              attachment.key(),
              attachment.volumeName(),
              attachment.nodeName(),
              false,
              false,
              "no such disk",
              "");
        }
      } else if (!attachment.attached()) {
        cluster.attachment(
            attachment.key(), attachment.volumeName(), attachment.nodeName(), false, true, "", "");
      } else if (scenario == Scenario.ATTACHMENT_GONE) {
        cluster.remove(cluster.attachments, attachment);
      }
    }
  }

  private Optional<Pod> pod(String name) {
    return cluster.pods.snapshot().get(ObjectKey.of(AttachCluster.NS, name));
  }

  private Optional<Node> node(String name) {
    return cluster.nodes.snapshot().get(ObjectKey.cluster(name));
  }

  private void injectFaults(String volume) {
    String name = "n-" + volume;
    switch (scenarioOf(volume)) {
      case NODE_GONE_IN_USE -> {
        cluster.node(name, "True", List.of(), List.of(id(volume)), Map.of());
        cluster.remove(cluster.nodes, node(name).orElseThrow());
      }
      case NODE_DEAD_IN_USE -> {
        cluster.node(name, "Unknown", List.of(), List.of(id(volume)), Map.of());
        ObjectKey key = ObjectKey.of("kube-node-lease", name);
        Meta meta = TestObjects.metaOf(key).uid("u").created(1).meta();
        long longAgo = time.now().minusSeconds(1000).toEpochMilli() * 1000;
        cluster.putLive(
            Kind.LEASE,
            TestObjects.lease(meta)
                .holder(name)
                .durationSeconds(40)
                .renewedMicros(longAgo)
                .build());
      }
      case POD_REPLACED ->
          cluster.pod(
              AttachCluster.NS, "p-" + volume, "another", "n-" + volume, Pod.Phase.RUNNING, volume);
      default -> {}
    }
  }

  private void deletePods(String volume) {
    for (String pod : List.of("p-" + volume, "q-" + volume)) {
      pod(pod).ifPresent(object -> cluster.remove(cluster.pods, object));
    }
  }

  private void deleteNodesAndVolumes(String volume) {
    for (String name : List.of("n-" + volume, "m-" + volume)) {
      node(name).ifPresent(object -> cluster.remove(cluster.nodes, object));
    }
    cluster
        .volumes
        .snapshot()
        .get(ObjectKey.cluster(volume))
        .ifPresent(object -> cluster.remove(cluster.volumes, object));
    cluster
        .claims
        .snapshot()
        .get(ObjectKey.of(AttachCluster.NS, "c-" + volume))
        .ifPresent(object -> cluster.remove(cluster.claims, object));
  }

  private void advance(int rounds) throws InterruptedException {
    advance(rounds, Duration.ofSeconds(1));
  }

  private void advance(int rounds, Duration interval) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      steps.settle();
      simulateDrivers();
      Thread.yield();
      time.advance(interval);
    }
  }

  /** Runs the scenarios of some volumes concurrently, from start to end. */
  private void runVolumes() throws InterruptedException {
    List<String> volumes = new ArrayList<>();
    for (int i = 0; i < CONCURRENT_VOLUMES; i++) {
      volumes.add("v" + volumeCount++);
    }
    cluster.onCreate = null;
    List<String> rejected =
        volumes.stream().filter(v -> scenarioOf(v) == Scenario.REFUSED_BY_THE_SERVER).toList();
    volumes.stream().filter(v -> !rejected.contains(v)).forEach(this::createObjects);
    advance(5);
    cluster.onCreate = new WriteResult.Rejected<>(403, "no");
    rejected.forEach(this::createObjects);
    advance(3);
    rejected.forEach(this::deletePods);
    advance(3);
    cluster.onCreate = null;
    volumes.forEach(this::injectFaults);
    advance(3);
    volumes.forEach(this::deletePods);
    TestWait.until(
        () -> "no VolumeAttachment remains; now: " + cluster.attachments.snapshot().size(),
        () -> {
          if (cluster.attachments.snapshot().size() == 0 && steps.isIdle()) {
            return true;
          }
          advance(2, Duration.ofMinutes(1));
          return false;
        });
    volumes.forEach(this::deleteNodesAndVolumes);
    cluster.live.clear();
    cluster.events.clear();
    cluster.notes.clear();
    cluster.server.clearRequests();
    advance(2);
  }

  private SortedMap<String, Integer> countRetained() throws Exception {
    for (int i = 0; i < 3; i++) {
      time.advance(Duration.ofHours(1)); // every delay is over
      advance(10);
    }
    TestWait.until( // checks run on their own threads
        () -> "the controller is idle",
        () -> {
          steps.settle();
          if (!time.isWorking()) { // short delays also need time to run
            time.advance(Duration.ofSeconds(1));
          }
          return steps.isIdle();
        });
    SortedMap<String, Integer> retained =
        RetainedElements.countFrom(
            controller,
            Informer.class,
            SimTime.class,
            AttachCluster.class,
            FaultyCluster.class,
            LoadedPlugins.NONE.getClass(),
            Class.forName("dev.mooring.reconcile.HotLoopPolicy")); // has its own bound
    // a counter per AttachStep.Grounds, of three
    retained.keySet().removeIf(path -> path.endsWith(".stats.forcedCounts{}"));
    return retained;
  }

  @Test
  @Timeout(900)
  void objects_createdAndDeleted_leaveNoState() throws Exception {
    steps.start();
    runVolumes();
    SortedMap<String, Integer> retainedBefore = countRetained();
    while (volumeCount < VOLUMES) {
      runVolumes();
    }
    // a check may still be running on its own thread; leaked state stays
    AtomicReference<SortedMap<String, Integer>> retainedNow =
        new AtomicReference<>(countRetained());
    TestWait.until(
        () -> retainedNow + " instead of " + retainedBefore,
        () -> {
          retainedNow.set(countRetained());
          return retainedNow.get().equals(retainedBefore);
        });
    assertThat(retainedBefore).as("inspected fields").hasSizeGreaterThan(10);
  }
}
