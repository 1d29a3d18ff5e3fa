package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.SimTime;
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

/** The whole controller with a plugin of the SPI {@code Attacher}, including crashes. */
class LockFilesTest {
  private static final String UNIQUE_NAME = "example.com/lock-files/disk-1";

  @TempDir private Path directory;
  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private LockFiles plugin;
  private AttachDetachController controller;
  private StepwiseController steps;

  @BeforeEach
  void putVolumeAndTwoNodes() throws InterruptedException {
    plugin = new LockFiles(directory);
    cluster.node("n1");
    cluster.node("n2");
    cluster.boundVolume("v", LockFiles.source("disk-1"), Uid.NONE, "ReadWriteOnce");
    start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  /** Starts another process, which knows only the cluster and the disk. */
  private void start() throws InterruptedException {
    controller =
        new AttachDetachController(
            new AttachDetachConfig(Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING),
            cluster.informers,
            cluster.ports(time),
            plugin);
    steps = new StepwiseController(controller.spec(), time);
    steps.start();
  }

  private void await(BooleanSupplier condition) {
    TestWait.until("the condition holds", () -> steps.stepTo(condition));
  }

  /**
   * Advances time by a second per step. Time does not advance while jobs run on their threads: a
   * busy machine would otherwise let writes time out.
   */
  private void awaitWithTime(BooleanSupplier condition) throws InterruptedException {
    await(() -> {
      if (steps.isWorkQuiet()) {
        time.advance(Duration.ofSeconds(1));
      }
      return condition.getAsBoolean();
    });
  }

  private Map<String, String> listedVolumes(String node) {
    return cluster.nodes.snapshot().get(ObjectKey.cluster(node)).orElseThrow().volumesAttached();
  }

  @Test
  void pod_replacedOnOtherNode_getsVolumeThere() throws Exception {
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    assertThat(listedVolumes("n1")).containsEntry(UNIQUE_NAME, "/dev/disk-1");
    assertThat(plugin.holder("disk-1")).isEqualTo("n1");
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    await(() -> cluster.notes.stream().anyMatch(n -> n.contains("Multi-Attach")));
    cluster.remove(cluster.pods, firstPod);
    await(() -> listedVolumes("n2").containsKey(UNIQUE_NAME));
    assertThat(plugin.holder("disk-1")).isEqualTo("n2");
    assertThat(listedVolumes("n1")).isEmpty();
  }

  /** Otherwise the cost of an attach would depend on the number of volumes on the node. */
  @Test
  void statusWrite_ownList_requeuesNoVolumes() throws Exception {
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    await(steps::isIdle); // the attach is visible before its job has ended
    cluster.node("n1", "True", List.of(), List.of(), Map.of("foreign/volume", ""));
    assertThat(steps.step("pvcs")).isTrue();
    assertThat(steps.step("attach_detach")).as("a requeued volume").isFalse();
    steps.settle();
    cluster.node("n1", "True", List.of(), List.of(UNIQUE_NAME), listedVolumes("n1"));
    assertThat(steps.step("pvcs")).isTrue();
    assertThat(steps.step("attach_detach")).as("its kubelet uses it").isTrue();
  }

  /** Other writers, such as tests and manual repairs, need time for several writes. */
  @Test
  void statusWrite_foreignList_isOverwrittenAfterPause() throws Exception {
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    steps.settle();
    cluster.node("n1", "True", List.of(), List.of(), Map.of("foreign/volume", ""));
    steps.settle();
    time.advance(Duration.ofSeconds(9));
    steps.settle();
    assertThat(listedVolumes("n1")).as("not yet").containsOnlyKeys("foreign/volume");
    time.advance(Duration.ofSeconds(1));
    steps.settle();
    assertThat(listedVolumes("n1")).as("after the repair").containsOnlyKeys(UNIQUE_NAME);
  }

  @Test
  void statusWrite_foreignList_isOverwrittenByNextWrite() throws Exception {
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    steps.settle();
    cluster.node("n1", "True", List.of(), List.of(), Map.of("foreign/volume", ""));
    cluster.boundVolume("w", LockFiles.source("disk-2"), Uid.NONE, "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "b", "n1", "w");
    await(() -> listedVolumes("n1").size() == 2);
    assertThat(listedVolumes("n1")).containsKey(UNIQUE_NAME).doesNotContainKey("foreign/volume");
  }

  @Test
  void node_recreated_getsListAtOnce() throws Exception {
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    steps.settle();
    cluster.remove(
        cluster.nodes, cluster.nodes.snapshot().get(ObjectKey.cluster("n1")).orElseThrow());
    steps.settle();
    cluster.node("n1");
    steps.settle();
    assertThat(listedVolumes("n1")).containsOnlyKeys(UNIQUE_NAME);
  }

  /** The server was away for a day. */
  @Test
  void statusWrites_afterOutage_resumeSoon() throws Exception {
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> !cluster.statusPatches().isEmpty());
    for (int i = 0; i < 24; i++) {
      time.advance(Duration.ofHours(1));
      steps.settle();
    }
    cluster.onStatus = null;
    time.advance(Duration.ofSeconds(5));
    steps.settle();
    assertThat(listedVolumes("n1")).containsKey(UNIQUE_NAME);
  }

  /** A detach that only waited for a status write resumes as well. */
  @Test
  void detaches_afterOutage_resumeSoon() throws Exception {
    Pod pod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    cluster.remove(cluster.pods, pod);
    for (int i = 0; i < 12; i++) {
      int patchesBefore = cluster.statusPatches().size();
      awaitWithTime(() -> cluster.statusPatches().size() > patchesBefore);
    }
    await(steps::isWorkQuiet);
    cluster.onStatus = null;
    time.advance(Duration.ofSeconds(5));
    await(() -> plugin.holder("disk-1").isEmpty());
  }

  /** Failures for a deleted pod must not delay its successor. */
  @Test
  void attachBackoff_podDeleted_ends() throws Exception {
    cluster.onCreate = new WriteResult.Rejected<>(403, "no");
    cluster.boundVolume("w", "ReadWriteOnce");
    Pod pod = cluster.pod(AttachCluster.NS, "a", "n1", "w");
    awaitWithTime(() -> cluster.events.size() > 8);
    cluster.remove(cluster.pods, pod);
    steps.settle();
    cluster.onCreate = null;
    cluster.pod(AttachCluster.NS, "b", "n1", "w");
    await(() -> cluster.attachments.snapshot().size() == 1);
  }

  /** During the deletion nothing can be attached; the failures in that time do not count later. */
  @Test
  void attach_afterDeletionOfOldAttachment_isRetriedAtOnce() throws Exception {
    cluster.boundVolume("w", "ReadWriteOnce");
    ObjectKey key = VolumeId.csi("d", "h-w").csi().orElseThrow().attachment("n1");
    cluster.attachment(key, "w", "n1", true, true, "", "");
    cluster.pod(AttachCluster.NS, "a", "n1", "w");
    awaitWithTime(() -> cluster.events.size() > 8);
    await(steps::isWorkQuiet);
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(key).orElseThrow());
    await(() -> cluster.attachments.snapshot().get(key).isPresent());
  }

  /** A watch broke, and the cache became empty. */
  @Test
  void pod_missingOnlyInCache_keepsItsVolume() throws Exception {
    Pod pod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    steps.settle();
    cluster.putLive(Kind.POD, pod);
    cluster.remove(cluster.pods, pod);
    int readsBefore = cluster.reads().size();
    awaitWithTime(() -> cluster.reads().size() > readsBefore + 1);
    assertThat(plugin.holder("disk-1")).isEqualTo("n1");
    awaitWithTime(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    cluster.live.clear();
    awaitWithTime(() -> plugin.holder("disk-1").isEmpty());
  }

  @Test
  void driver_attachRequiredFalseOnlyInCache_keepsAttachments() throws Exception {
    cluster.boundVolume("w", "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "a", "n1", "w");
    await(() -> cluster.attachments.snapshot().size() == 1);
    Attachment attachment = cluster.attachments.snapshot().objects().iterator().next();
    cluster.attachment(attachment.key(), "w", "n1", false, true, "", "");
    await(() -> listedVolumes("n1").size() == 1);
    steps.settle();
    cluster.driver("d", true);
    cluster.putLive(
        Kind.CSI_DRIVER, cluster.drivers.snapshot().get(ObjectKey.cluster("d")).orElseThrow());
    cluster.driver("d", false);
    int readsBefore = cluster.reads().size();
    awaitWithTime(() -> cluster.reads().size() > readsBefore + 2);
    assertThat(cluster.attachments.snapshot().objects()).noneMatch(a -> a.meta().isBeingDeleted());
    cluster.live.clear();
    awaitWithTime(
        () -> cluster.attachments.snapshot().objects().iterator().next().meta().isBeingDeleted());
  }

  /** Its pod may never be deleted, and the other pod would wait for ever. */
  @Test
  void attach_driverRejects_nextNodeGetsTurn() throws Exception {
    cluster.finalizers = false;
    cluster.boundVolume("w", "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "a", "n1", "w");
    await(() -> cluster.attachments.snapshot().size() == 1);
    cluster.pod(AttachCluster.NS, "b", "n2", "w");
    Attachment firstAttachment = cluster.attachments.snapshot().objects().iterator().next();
    cluster.attachment(firstAttachment.key(), "w", "n1", false, false, "no such disk here", "");
    awaitWithTime(() -> {
      for (Attachment attachment : cluster.attachments.snapshot().objects()) {
        if (attachment.nodeName().equals("n2")) {
          return true;
        }
      }
      return false;
    });
    assertThat(cluster.attachments.snapshot().objects())
        .as("one at a time")
        .extracting(Attachment::nodeName)
        .containsExactly("n2");
    assertThat(cluster.events).contains("a Warning FailedAttachVolume");
  }

  private CsiDriver putDriverWithoutAttach() throws InterruptedException {
    cluster.driver("d", false);
    cluster.boundVolume("w", "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "a", "n1", "w");
    steps.settle();
    return cluster.drivers.snapshot().get(ObjectKey.cluster("d")).orElseThrow();
  }

  /** Charts and operators recreate a CSIDriver when they change it. */
  @Test
  void driver_recreatedWithoutAttachRequired_attachesNothing() throws Exception {
    cluster.remove(cluster.drivers, putDriverWithoutAttach());
    steps.settle();
    time.advance(Duration.ofSeconds(1));
    steps.settle();
    cluster.driver("d", false);
    steps.settle();
    time.advance(Duration.ofMinutes(1));
    steps.settle();
    assertThat(cluster.attachments.snapshot().objects()).isEmpty();
  }

  @Test
  void driver_deleted_attachesLikeUnknownDriver() throws Exception {
    cluster.remove(cluster.drivers, putDriverWithoutAttach());
    steps.settle();
    assertThat(cluster.attachments.snapshot().objects()).isEmpty();
    time.advance(Duration.ofSeconds(10));
    await(() -> cluster.attachments.snapshot().size() == 1);
  }

  @Test
  void driver_missingOnlyInCache_attachesNothing() throws Exception {
    CsiDriver driver = putDriverWithoutAttach();
    cluster.putLive(Kind.CSI_DRIVER, driver);
    cluster.remove(cluster.drivers, driver);
    int readsBefore = cluster.reads().size();
    awaitWithTime(() -> cluster.reads().size() > readsBefore + 1);
    steps.settle();
    assertThat(cluster.attachments.snapshot().objects()).isEmpty();
    cluster.live.clear();
    awaitWithTime(() -> cluster.attachments.snapshot().size() == 1);
  }

  /** A status that only the cache shows must not give the volume to another node. */
  @Test
  void attachment_detachedOnlyInCache_stays() throws Exception {
    cluster.boundVolume("w", "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "a", "n1", "w");
    await(() -> cluster.attachments.snapshot().size() == 1);
    Attachment attachment = cluster.attachments.snapshot().objects().iterator().next();
    cluster.putLive(
        Kind.ATTACHMENT, cluster.attachment(attachment.key(), "w", "n1", false, true, "", ""));
    await(() -> listedVolumes("n1").size() == 1);
    steps.settle();
    cluster.attachment(attachment.key(), "w", "n1", false, false, "", "");
    int readsBefore = cluster.reads().size();
    time.advance(Duration.ofMinutes(1));
    await(() -> cluster.reads().size() > readsBefore);
    steps.settle();
    assertThat(controller.metrics().drifts()).isZero();
    assertThat(listedVolumes("n1")).hasSize(1);
  }

  @Test
  void restart_podDeletedMeanwhile_detachesVolume() throws Exception {
    Pod pod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    stop();
    cluster.remove(cluster.pods, pod);
    start();
    await(() -> plugin.holder("disk-1").isEmpty());
    await(() -> listedVolumes("n1").isEmpty());
  }

  /** The process died between the attach and its report; only the disk shows it. */
  @Test
  void restart_attachUnrecorded_recordsAttachment() throws Exception {
    plugin.attach(new dev.mooring.spi.Attacher.Request("disk-1", LockFiles.source("disk-1"), "n1"));
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    assertThat(plugin.holder("disk-1")).isEqualTo("n1");
  }

  @Test
  void verification_volumeDetached_attachesAgain() throws Exception {
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    await(steps::isIdle); // the attach is visible before its job has ended
    plugin.detach("disk-1", "n1"); // without the controller
    time.advance(Duration.ofMinutes(1));
    await(() -> plugin.holder("disk-1").equals("n1"));
    await(steps::isIdle);
    assertThat(controller.metrics().drifts()).isEqualTo(1);
  }

  /** The node may have it mounted, whatever happened to the attachment. */
  @Test
  void verification_detachedVolumeInUse_blocksOtherNodes() throws Exception {
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    await(() -> listedVolumes("n1").containsKey(UNIQUE_NAME));
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    cluster.node("n1", "True", List.of(), List.of(UNIQUE_NAME), listedVolumes("n1"));
    cluster.remove(cluster.pods, firstPod); // its kubelet has not unmounted it yet
    steps.settle();
    plugin.detach("disk-1", "n1"); // without the controller
    time.advance(Duration.ofMinutes(1));
    await(() -> controller.metrics().drifts() == 1);
    steps.settle();
    assertThat(plugin.holder("disk-1")).isEmpty();
    assertThat(listedVolumes("n1")).as("for a controller that begins now").containsKey(UNIQUE_NAME);
    cluster.node("n1", "True", List.of(), List.of(), listedVolumes("n1"));
    await(() -> listedVolumes("n2").containsKey(UNIQUE_NAME));
    assertThat(plugin.holder("disk-1")).isEqualTo("n2");
    assertThat(listedVolumes("n1")).isEmpty();
  }
}
