package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.AttachQueues;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.model.AccessModes;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.workqueue.TakeResult;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One namespace has many pods and volumes, another has one of each. */
class FairQueuesTest {
  private static final int MANY = 20;
  private static final String FEW = "few";

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final ControllerSpec spec =
      new AttachDetachController(
              new AttachDetachConfig(
                  Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING),
              cluster.informers,
              cluster.ports(time),
              LoadedPlugins.NONE)
          .spec();
  private final StepwiseController steps = new StepwiseController(spec, time);

  @BeforeEach
  void listen() throws InterruptedException {
    cluster.node("n1");
    steps.startWithoutFirstPasses();
    steps.settle();
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private List<Object> takeAllKeys(String name) throws InterruptedException {
    WorkQueue<?> queue =
        spec.loops().stream()
            .map(ControllerSpec.Part.Loop::queue)
            .filter(workQueue -> workQueue.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<Object> keys = new ArrayList<>();
    while (queue.depth() > 0) {
      if (queue.take() instanceof TakeResult.Item<?>(Object key)) {
        keys.add(key);
      }
    }
    return keys;
  }

  private static ObjectKey claim(String namespace, String volume) {
    return ObjectKey.of(namespace, "c-" + volume);
  }

  private void boundVolume(String namespace, String name) {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume(name)
                .source(VolumeSource.csi("d", "h-" + name))
                .claimRef(new ClaimRef(claim(namespace, name), uid(namespace, name)))
                .build());
    cluster.put(
        Kind.CLAIM,
        TestObjects.claim(claim(namespace, name))
            .accessModes(AccessModes.of("ReadWriteOnce"))
            .boundTo(volume)
            .build());
  }

  private static Uid uid(String namespace, String name) {
    return TestObjects.claim(claim(namespace, name)).meta().uid();
  }

  @Test
  void queue_manyPodsOfOneNamespace_servesOtherNamespaceSecond() throws InterruptedException {
    for (int i = 0; i < MANY; i++) {
      cluster.pod(AttachCluster.NS, "p" + i, "n1", "v" + i);
    }
    cluster.pod(FEW, "p", "n1", "v");
    List<Object> keys = takeAllKeys("pvcs");
    assertThat(keys).hasSize(MANY + 1);
    assertThat(keys.get(1)).isEqualTo(new PopulatorTrigger.OfPod(ObjectKey.of(FEW, "p")));
  }

  @Test
  void queue_manyVolumesOfOneNamespace_servesOtherNamespaceSecond() throws InterruptedException {
    for (int i = 0; i < MANY; i++) {
      boundVolume(AttachCluster.NS, "v" + i);
      cluster.pod(AttachCluster.NS, "p" + i, "n1", "v" + i);
    }
    boundVolume(FEW, "v");
    cluster.pod(FEW, "p", "n1", "v");
    while (steps.step("pvcs")) {
      // until the controller knows all pods
    }
    List<Object> keys = takeAllKeys("attach_detach");
    assertThat(keys).hasSize(MANY + 1);
    assertThat(keys.subList(0, 2)).contains(key("v"));
  }

  /** No pod uses these volumes, but attachments say that the node has them. */
  @Test
  void queue_manyAttachedVolumesOfOneNamespace_servesOtherNamespaceSecond()
      throws InterruptedException {
    for (int i = 0; i < MANY; i++) {
      boundVolume(AttachCluster.NS, "v" + i);
      putAttachment("v" + i);
    }
    boundVolume(FEW, "v");
    putAttachment("v");
    while (steps.step("pvcs")) {
      // until the controller knows all volumes
    }
    List<Object> keys = takeAllKeys("attach_detach");
    assertThat(keys).hasSize(MANY + 1);
    assertThat(keys.subList(0, 2)).extracting(Object::toString).anyMatch(k -> k.endsWith("h-v"));
  }

  private void putAttachment(String volume) {
    ObjectKey key = VolumeId.csi("d", "h-" + volume).csi().orElseThrow().attachment("n1");
    cluster.attachment(key, volume, "n1", false, true, "", "");
  }

  private static AttachQueues.VolumeKey key(String volume) {
    return new AttachQueues.VolumeKey(VolumeId.csi("d", "h-" + volume), "");
  }
}
