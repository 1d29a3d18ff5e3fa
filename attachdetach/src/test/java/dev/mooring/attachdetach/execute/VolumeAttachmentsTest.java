package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.VersionBumper;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Change;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeAttachmentsTest {
  private static final VolumeId.Csi CSI = new VolumeId.Csi("d", "h^1");
  private static final AttachTarget TARGET =
      new AttachTarget(
          VolumeId.csi("d", "h^1"), "pv", true, "pv", VolumeSource.csi("d", "h^1"), Map.of());
  private static final ObjectKey KEY = CSI.attachment("n1");

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final VolumeAttachments attachments =
      new VolumeAttachments(
          cluster.attachments, cluster.ports(time), Duration.ofMinutes(2), Compat.MOORING);
  private final AtomicInteger sentRequests = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void listen() {
    cluster.attachments.addHandler(attachments::attachmentChanged);
  }

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  /** Starts the call, and returns when it waits for an answer. */
  private <T> Future<T> startAndAwaitWait(Callable<T> call) {
    Future<T> future = threads.submit(call);
    TestWait.until("it waits", () -> time.pendingTimers() > 0 || future.isDone());
    return future;
  }

  private static <T> T awaitResult(Future<T> future) {
    return assertTimeoutPreemptively(TestWait.LONGEST, () -> future.get());
  }

  private static String describeResult(AttachCallResult<?> result) {
    return switch (result) {
      case AttachCallResult.Answered<?>(Attempt.Done<?> _) -> "done";
      case AttachCallResult.Answered<?>(Attempt.Failed<?>(Failure failure)) -> failure.message();
      case AttachCallResult.Unanswered<?>(String message) -> "unanswered: " + message;
    };
  }

  @Test
  void attachment_driverHandleAndNode_hasHashedName() {
    assertThat(new VolumeId.Csi("test-driver", "test-vol").attachment("test-node").name())
        .isEqualTo("csi-9b6f67330b7785ca42789ece3ed80d1edd7f35bc1d40caa6fa09f0fcb672883d");
    assertThat(new VolumeId.Csi("ebs.csi.aws.com", "vol-1").attachment("node-a").name())
        .isEqualTo("csi-7ba6b8ed285c3c863d675c3b4567d68ede4307ae1a37202e02bf2c4b9f42f28b");
  }

  @Test
  void attach_driverAnswers_returnsAtOnce() {
    Future<AttachCallResult<Attached>> attach =
        startAndAwaitWait(() -> attachments.attach(TARGET, CSI, "n1"));
    Attachment attachment = cluster.attachments.snapshot().get(KEY).orElseThrow();
    assertThat(attachment.volumeName()).isEqualTo("pv");
    assertThat(attachment.nodeName()).isEqualTo("n1");
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    assertThat(describeResult(awaitResult(attach))).isEqualTo("done");
  }

  @Test
  void attach_existingAttachment_isUsed() {
    cluster.attachment(KEY, "other", "n1", false, true, "", "");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
    assertThat(cluster.attachments.snapshot().get(KEY).orElseThrow().volumeName())
        .isEqualTo("other");
  }

  /** Its sender was killed, or has given up; by now a pod writes to the volume. */
  @Test
  void attach_earlierDeletionRequestArrivesLate_isRejected() throws InterruptedException {
    Attachment attachment = cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
    assertThat(
            cluster.server.delete(
                Kind.ATTACHMENT, KEY, attachment.meta().uid(), attachment.meta().resourceVersion()))
        .isInstanceOf(WriteResult.Conflict.class);
    Attachment currentAttachment = cluster.attachments.snapshot().get(KEY).orElseThrow();
    assertThat(currentAttachment.meta().isBeingDeleted()).isFalse();
    assertThat(cluster.attachmentPatches()).as("sets and clears the mark").hasSize(2);
  }

  /** The old mark would be no change, and the resource version would stay the same. */
  @Test
  void attach_markOfKilledProcess_isReplaced() throws InterruptedException {
    Attachment attachment = cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    Attachment marked =
        cluster
            .server
            .patch(
                Kind.ATTACHMENT,
                KEY,
                Document.empty()
                    .set(attachment.meta().uid().toString(), "metadata", "uid")
                    .set(
                        Long.toString(attachment.meta().resourceVersion()),
                        "metadata",
                        "annotations",
                        VersionBumper.VERSION_MARK))
            .toOptional()
            .orElseThrow();
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
    assertThat(cluster.attachments.snapshot().get(KEY).orElseThrow().meta().resourceVersion())
        .isGreaterThan(marked.meta().resourceVersion() + 1);
  }

  @Test
  void attach_newAttachment_needsNoMark() {
    var attach = startAndAwaitWait(() -> attachments.attach(TARGET, CSI, "n1"));
    Attachment attachment = cluster.attachments.snapshot().get(KEY).orElseThrow();
    cluster.put(Kind.ATTACHMENT, TestObjects.like(attachment).attached(true).build());
    assertThat(describeResult(awaitResult(attach))).isEqualTo("done");
    assertThat(cluster.attachmentPatches()).isEmpty();
  }

  @Test
  void attach_patchForbidden_isUsedUnmarked() {
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    cluster.onPatch = new WriteResult.Rejected<>(403, "forbidden");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
  }

  @Test
  void attach_markFails_isNotUsed() {
    Attachment attachment = cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    cluster.onPatch = new WriteResult.Unreachable<>("no answer");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .startsWith("unanswered: ")
        .contains("no answer");
    cluster.onPatch = new WriteResult.Gone<>();
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .contains("deleted by another client");
    cluster.onPatch =
        new WriteResult.Written<>(
            TestObjects.like(attachment).deleted(1).build()); // the deletion came just before
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("volume attachment is being deleted");
  }

  @Test
  void attach_compatKubernetes_marksNothing() {
    VolumeAttachments kubernetesAttachments =
        new VolumeAttachments(
            cluster.attachments, cluster.ports(time), Duration.ofMinutes(2), Compat.KUBERNETES);
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> kubernetesAttachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
    assertThat(cluster.attachmentPatches()).isEmpty();
  }

  /** An attach that took too long is repeated; its attachment was never deleted. */
  @Test
  void attach_ownLateAttachment_needsNoMark() {
    var attach = startAndAwaitWait(() -> attachments.attach(TARGET, CSI, "n1"));
    time.advance(Duration.ofMinutes(3));
    assertThat(describeResult(awaitResult(attach))).startsWith("timed out waiting");
    Attachment attachment = cluster.attachments.snapshot().get(KEY).orElseThrow();
    cluster.put(Kind.ATTACHMENT, TestObjects.like(attachment).attached(true).build());
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
    assertThat(cluster.attachmentPatches()).isEmpty();
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("done");
    assertThat(cluster.attachmentPatches()).as("its later fate is unknown").hasSize(2);
  }

  /**
   * A late request of a killed process created another attachment, and the driver attached that.
   */
  @Test
  void detach_otherAttachmentOfThatName_isNotDetached() {
    Attachment attachment = cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    cluster.onDelete = new WriteResult.Conflict<>("that uid is not there");
    cluster.putLive(Kind.ATTACHMENT, TestObjects.like(attachment).uid("another").build());
    assertThat(
            describeResult(
                awaitResult(
                    threads.submit(
                        () -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet)))))
        .contains("that uid is not there");
  }

  /** The attacher also writes to the attachment. */
  @Test
  void detach_repeatedConflicts_fails() {
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    cluster.onDelete = new WriteResult.Conflict<>("another client was first");
    assertThat(
            describeResult(
                awaitResult(
                    threads.submit(
                        () -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet)))))
        .contains("another client was first");
    assertThat(sentRequests.get()).isZero();
  }

  @Test
  void attach_driverFails_returnsError() {
    var attach = startAndAwaitWait(() -> attachments.attach(TARGET, CSI, "n1"));
    cluster.attachment(KEY, "pv", "n1", false, false, "disk on fire", "");
    assertThat(describeResult(awaitResult(attach))).isEqualTo("disk on fire");
  }

  @Test
  void attach_attachmentBeingDeleted_isUncertain() {
    cluster.attachment(KEY, "pv", "n1", true, true, "", "");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .isEqualTo("volume attachment is being deleted");
  }

  @Test
  void attach_attachmentDeletedMeanwhile_fails() {
    var attach = startAndAwaitWait(() -> attachments.attach(TARGET, CSI, "n1"));
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(KEY).orElseThrow());
    assertThat(describeResult(awaitResult(attach))).contains("deleted by another client");
  }

  @Test
  void attach_noAnswer_timesOut() {
    var attach = startAndAwaitWait(() -> attachments.attach(TARGET, CSI, "n1"));
    time.advance(Duration.ofSeconds(119));
    assertThat(attach.isDone()).isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(describeResult(awaitResult(attach)))
        .isEqualTo("timed out waiting for external-attacher of d CSI driver to attach volume h^1");
  }

  @Test
  void attach_creationRejected_isExhausted() {
    cluster.onCreate = new WriteResult.Rejected<>(403, "no");
    assertThat(awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1"))))
        .isInstanceOfSatisfying(
            AttachCallResult.Answered.class,
            answered ->
                assertThat(answered.attempt())
                    .isInstanceOfSatisfying(
                        Attempt.Failed.class,
                        failed ->
                            assertThat(failed.failure()).isInstanceOf(Failure.Exhausted.class)));
  }

  /** The attachment may exist, and no driver failed: it is checked again soon. */
  @Test
  void attach_creationUnanswered_isUnanswered() {
    cluster.onCreate = new WriteResult.Unreachable<>("no answer");
    assertThat(
            describeResult(
                awaitResult(threads.submit(() -> attachments.attach(TARGET, CSI, "n1")))))
        .startsWith("unanswered: ")
        .endsWith("no answer");
  }

  @Test
  void detach_attachmentDeleted_succeeds() {
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    var detach =
        startAndAwaitWait(() -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet));
    Attachment deletedAttachment = cluster.attachments.snapshot().get(KEY).orElseThrow();
    assertThat(deletedAttachment.meta().isBeingDeleted()).isTrue();
    assertThat(detach.isDone()).isFalse();
    assertThat(sentRequests.get())
        .as("permit returned before the wait for the driver")
        .isEqualTo(1);
    cluster.remove(cluster.attachments, deletedAttachment);
    assertThat(describeResult(awaitResult(detach))).isEqualTo("done");
  }

  @Test
  void detach_noAttachment_succeeds() {
    assertThat(
            describeResult(
                awaitResult(
                    threads.submit(
                        () -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet)))))
        .isEqualTo("done");
  }

  @Test
  void detach_existenceUnanswered_isUnanswered() {
    cluster.isMute = true;
    assertThat(
            describeResult(
                awaitResult(
                    threads.submit(
                        () -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet)))))
        .startsWith("unanswered: ")
        .contains("no answer");
  }

  @Test
  void detach_driverFails_returnsError() {
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    var detach =
        startAndAwaitWait(() -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet));
    cluster.attachment(KEY, "pv", "n1", true, true, "", "busy");
    assertThat(describeResult(awaitResult(detach))).isEqualTo("busy");
  }

  /** Another client deleted an attachment that the watch has not shown. */
  @Test
  void detach_attachmentMissingInCache_waitsForDeletion() {
    Attachment deletedAttachment = cluster.attachment(KEY, "pv", "n1", true, true, "", "");
    cluster.remove(cluster.attachments, deletedAttachment);
    cluster.uncachedAttachment = deletedAttachment;
    assertThat(
            describeResult(
                awaitResult(
                    threads.submit(
                        () -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet)))))
        .contains("still exists");
    cluster.uncachedAttachment = null;
    assertThat(
            describeResult(
                awaitResult(
                    threads.submit(
                        () -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet)))))
        .isEqualTo("done");
  }

  /**
   * The cache was emptied, or the watch is wrong: that must not give the volume to another node.
   */
  @Test
  void detach_attachmentVanishesOnlyFromCache_isNotDetached() {
    Attachment attachment = cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    var detach =
        startAndAwaitWait(() -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet));
    Attachment deletedAttachment = cluster.attachments.snapshot().get(KEY).orElseThrow();
    cluster.uncachedAttachment = deletedAttachment;
    cluster.remove(cluster.attachments, attachment);
    attachments.attachmentChanged(new Change.Deleted<>(deletedAttachment, false));
    assertThat(describeResult(awaitResult(detach))).contains("still exists");
  }

  @Test
  void detach_noAnswer_timesOut() {
    cluster.attachment(KEY, "pv", "n1", false, true, "", "");
    var detach =
        startAndAwaitWait(() -> attachments.detach(CSI, "n1", sentRequests::incrementAndGet));
    time.advance(Duration.ofMinutes(3));
    assertThat(describeResult(awaitResult(detach)))
        .startsWith("timed out waiting")
        .contains("detach volume h^1");
  }
}
