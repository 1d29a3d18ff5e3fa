package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Stepwise;
import dev.mooring.storage.Plugins;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What requests do that a controller had sent before it was killed. */
class LeftoversTest {
  private static final ObjectKey NAME =
      VolumeId.csi("d", "h-v").csi().orElseThrow().attachment("n1");

  private static final String UNIQUE = "kubernetes.io/csi/d^h-v";

  private final SimTime time = new SimTime();
  private final FakeCluster cluster = new FakeCluster();
  private Stepwise steps;

  private void begin(boolean likeKubernetes) throws InterruptedException {
    cluster.node("n1");
    cluster.boundVolume("v", "ReadWriteOnce");
    steps =
        new Stepwise(
            new AttachDetachController(
                    new AttachDetachConfig(
                        Optional.of(Duration.ofMinutes(1)), true, false, likeKubernetes),
                    cluster.informers,
                    new ClusterPorts(
                        cluster,
                        cluster,
                        cluster,
                        (key, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    Plugins.NONE)
                .spec(),
            time);
    steps.begin();
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void until(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Patience.LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it happens in time").isLessThan(end);
      if (!steps.stepEach()) {
        Thread.onSpinWait();
      }
    }
  }

  private void aMinute() throws InterruptedException {
    until(steps::isIdle);
    time.advance(Duration.ofMinutes(1));
    until(steps::isIdle);
  }

  private boolean isGone() {
    return cluster
        .attachments
        .snapshot()
        .get(NAME)
        .filter(attachment -> !attachment.meta().isBeingDeleted())
        .isEmpty();
  }

  private Volume volume() {
    return cluster.volumes.snapshot().get(ObjectKey.cluster("v")).orElseThrow();
  }

  @Test
  void anAttachmentThatCameAfterItsVolumeWentIsDeleted() throws Exception {
    begin(false);
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(NAME, "v", "n1", false, false, "persistentvolume v not found", "");
    aMinute();
    until(this::isGone);
  }

  @Test
  void oneWhoseVolumeOnlyTheCacheHasLostStays() throws Exception {
    begin(false);
    cluster.onlyLive(Kind.VOLUME, volume());
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(NAME, "v", "n1", false, false, "", "");
    aMinute();
    until(() -> cluster.reads.contains(Kind.VOLUME + " v"));
    until(steps::isIdle);
    assertThat(isGone()).isFalse();
  }

  @Test
  void kubernetesLeavesItThere() throws Exception {
    begin(true);
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(NAME, "v", "n1", false, false, "", "");
    aMinute();
    aMinute();
    assertThat(isGone()).isFalse();
    assertThat(cluster.reads).isEmpty();
  }

  /** It would be on two nodes until the next verification. */
  @Test
  void oneThatNobodyNeedsIsDetachedAsSoonAsItIsSeen() throws Exception {
    begin(false);
    until(steps::isIdle);
    cluster.attachment(NAME, "v", "n1", false, false, "", "");
    until(this::isGone);
  }

  private static ObjectKey attachmentTo(String node) {
    return VolumeId.csi("d", "h-v").csi().orElseThrow().attachment(node);
  }

  /**
   * A killed process asked for one attachment too many, and its successor was killed while it took
   * it away. Both nodes say that they use the volume, as kubelets do before they mount.
   */
  private void twoThatMayHaveIt() throws InterruptedException {
    cluster.attachment(NAME, "v", "n1", true, true, "", "");
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, true, "", "");
    cluster.node("n1", UNIQUE);
    cluster.node("n2", UNIQUE);
    cluster.pod(FakeCluster.NS, "a", "n1", "v");
    cluster.pod(FakeCluster.NS, "b", "n2", "v");
    begin(false);
    cluster.node("n1", UNIQUE);
    until(steps::isIdle);
    assertThat(listed("n2")).as("nobody can know who has it").isEmpty();
  }

  private void theFirstIsGone() {
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(NAME).orElseThrow());
  }

  private Set<String> listed(String node) {
    return cluster
        .nodes
        .snapshot()
        .get(ObjectKey.cluster(node))
        .orElseThrow()
        .volumesAttached()
        .keySet();
  }

  @Test
  void ofTwoThatMayHaveAVolumeTheOneGetsItThatTheDriverGaveItTo() throws Exception {
    twoThatMayHaveIt();
    theFirstIsGone();
    until(() -> listed("n2").contains(UNIQUE));
    assertThat(listed("n1")).isEmpty();
  }

  /** As long as its pod is there the attachment that came too late is left: the node may use it. */
  @Test
  void alsoIfTheOthersAttachmentStaysAndIsRefused() throws Exception {
    twoThatMayHaveIt();
    cluster.attachment(NAME, "v", "n1", false, false, "it is on n2", "");
    aMinute();
    until(() -> listed("n2").contains(UNIQUE));
    assertThat(listed("n1")).isEmpty();
  }

  @Test
  void evenIfTheDriverGivesItLater() throws Exception {
    twoThatMayHaveIt();
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, false, "", "");
    theFirstIsGone();
    aMinute();
    assertThat(listed("n2")).as("the driver has not said so").isEmpty();
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, true, "", "");
    aMinute();
    until(() -> listed("n2").contains(UNIQUE));
  }

  @Test
  void nobodyGetsItWhileOnlyTheCacheHasLostTheOther() throws Exception {
    twoThatMayHaveIt();
    cluster.onlyLive(Kind.ATTACHMENT, cluster.attachments.snapshot().get(NAME).orElseThrow());
    theFirstIsGone();
    aMinute();
    until(() -> cluster.reads.contains(Kind.ATTACHMENT + " " + NAME));
    until(steps::isIdle);
    assertThat(listed("n2")).isEmpty();
  }
}
