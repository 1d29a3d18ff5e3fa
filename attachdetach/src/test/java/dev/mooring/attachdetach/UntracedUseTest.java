package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A kubelet lists a volume in use, and nothing else confirms it. */
class UntracedUseTest {
  private static final VolumeId ID = VolumeId.csi("d", "h-v");

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private StepwiseController steps;

  @BeforeEach
  void putVolume() throws InterruptedException {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1", ID.text());
    cluster.node("n2");
    start();
    cluster.pod(AttachCluster.NS, "a", "n2", "v");
  }

  private void start() throws InterruptedException {
    steps =
        cluster.start(
            time,
            new AttachDetachConfig(
                Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING));
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private Optional<Attachment> attachment(String node) {
    return cluster.attachments.snapshot().get(ID.csi().orElseThrow().attachment(node));
  }

  private void advanceSeconds(int seconds) throws InterruptedException {
    for (int i = 0; i < seconds; i += 5) {
      time.advance(Duration.ofSeconds(5));
      steps.settle();
    }
  }

  private void awaitWithTime(BooleanSupplier condition) {
    TestWait.stepUntil(
        "the condition holds",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return steps.stepTo(condition);
        });
  }

  @Test
  void volume_untracedForSixMinutes_goesToWaitingNode() throws Exception {
    advanceSeconds(350);
    assertThat(attachment("n2")).isEmpty();
    assertThat(cluster.notes)
        .anySatisfy(note ->
            assertThat(note)
                .contains("no VolumeAttachment, volumesAttached or pod confirms it")
                .contains("restart that kubelet"));
    awaitWithTime(() -> attachment("n2").isPresent());
    assertThat(cluster.events).contains("n1 Warning VolumeForceDetached");
  }

  @Test
  void volume_kubeletStopsListing_goesToWaitingNodeAtOnce() throws Exception {
    advanceSeconds(60);
    assertThat(attachment("n2")).isEmpty();
    cluster.node("n1");
    awaitWithTime(() -> attachment("n2").isPresent());
    assertThat(cluster.events).doesNotContain("n1 Warning VolumeForceDetached");
  }

  @Test
  void volume_attachmentAppears_blocksOtherNode() throws Exception {
    advanceSeconds(60);
    cluster.attachment(ID.csi().orElseThrow().attachment("n1"), "v", "n1", false, true, "", "");
    advanceSeconds(900);
    assertThat(attachment("n2")).isEmpty();
  }

  @Test
  void volume_attachmentAppears_isAttachedWithoutNewChecks() throws Exception {
    advanceSeconds(60);
    cluster.attachment(ID.csi().orElseThrow().attachment("n1"), "v", "n1", false, true, "", "");
    advanceSeconds(400);
    int reads = cluster.reads().size();
    advanceSeconds(900);
    assertThat(cluster.reads()).hasSize(reads);
    assertThat(cluster.notes.getLast()).contains("still lists it in use");
  }

  @Test
  void volume_attachmentMissingOnlyInCache_blocksOtherNode() throws Exception {
    ObjectKey key = ID.csi().orElseThrow().attachment("n1");
    Attachment uncached = cluster.attachment(key, "v", "n1", false, true, "", "");
    cluster.remove(cluster.attachments, uncached);
    advanceSeconds(60);
    cluster.uncachedAttachment = uncached;
    advanceSeconds(900);
    assertThat(attachment("n2")).isEmpty();
  }

  /** An earlier process has requested the detach, and the kubelet's report is wrong. */
  @Test
  void volume_attachmentDeleted_goesToWaitingNodeAfterSixMinutes() throws Exception {
    steps.close();
    ObjectKey key = ID.csi().orElseThrow().attachment("n1");
    cluster.attachment(key, "v", "n1", true, true, "", "");
    start();
    advanceSeconds(60);
    cluster.remove(cluster.attachments, attachment("n1").orElseThrow());
    advanceSeconds(240);
    assertThat(attachment("n2")).isEmpty();
    awaitWithTime(() -> attachment("n2").isPresent());
    assertThat(cluster.events).contains("n1 Warning VolumeForceDetached");
  }

  @Test
  void volume_serverUnanswered_blocksOtherNode() throws Exception {
    cluster.isMute = true;
    advanceSeconds(900);
    assertThat(attachment("n2")).isEmpty();
    cluster.isMute = false;
    awaitWithTime(() -> attachment("n2").isPresent());
  }
}
