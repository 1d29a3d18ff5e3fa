package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.AttachmentCheck;
import dev.mooring.attachdetach.decide.AttachmentCheck.GoneVerdict;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachmentWaits;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.VersionBumper;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attacher.Detached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Attaches CSI volumes through VolumeAttachments; the status contains the attacher's answer, as in
 * Kubernetes' {@code pkg/volume/csi/csi_attacher.go}. Watch events wake waiting calls, there is no
 * polling. Thread-safe.
 *
 * <p>A deletion request may arrive after its sender was killed, or after the sender needs the
 * volume attached again. So a deletion names the known resource version, and an existing attachment
 * gets a new version before it is used again.
 */
public final class VolumeAttachments {
  private static final String MESSAGE_PREFIX = "kubernetes.io/csi: ";

  private static final String BEING_DELETED = "volume attachment is being deleted";

  private static final int MAX_DELETES = 5;

  private final Informer<Attachment> attachments;
  private final ClusterPorts ports;
  private final Duration attacherTimeout;
  private final Compat compat;
  private final AttachmentWaits waits;
  private final VersionBumper versionBumper;

  public VolumeAttachments(
      Informer<Attachment> attachments,
      ClusterPorts ports,
      Duration attacherTimeout,
      Compat compat) {
    this.attachments = attachments;
    this.ports = ports;
    this.waits = new AttachmentWaits(ports.time());
    this.versionBumper = new VersionBumper(ports.writer(), ports.time());
    this.attacherTimeout = attacherTimeout;
    this.compat = compat;
  }

  public @Nullable VolumeNode attachmentChanged(Change<Attachment> change) {
    VolumeNode waitingAttach =
        change instanceof Change.Deleted<Attachment> ? waits.removeDeleted(change.key()) : null;
    waits.signalChange(change.key());
    return waitingAttach;
  }

  public int waiters() {
    return waits.waiters();
  }

  private @Nullable Attachment find(ObjectKey key) {
    return attachments.get(key).orElse(null);
  }

  AttachCallResult<Attached> attach(AttachTarget target, VolumeId.Csi csi, String node)
      throws InterruptedException {
    ObjectKey key = csi.attachment(node);
    if (find(key) == null) {
      WriteResult<Attachment> result = create(key, target, csi, node);
      Optional<AttachCallResult<Attached>> failure = findFailure(key, result);
      if (failure.isPresent()) {
        return failure.get();
      }
      result.toOptional().ifPresent(created -> waits.addCreated(key, created.meta().uid()));
    }
    boolean[] wasSeen = new boolean[1];
    boolean hasEnded =
        await(
            key,
            attachment -> {
              wasSeen[0] |= attachment != null;
              return attachment == null ? wasSeen[0] : isAnswered(attachment);
            });
    Attachment attachment = find(key);
    if (attachment == null) {
      waits.removeCreated(key); // it may have been deleted before it was recorded
      return createUncertain(
          hasEnded
              ? "VolumeAttachment " + key.name() + " was deleted by another client"
              : createTimeoutMessage(csi));
    }
    VolumeNode volumeNode = new VolumeNode(target.id(), node);
    if (attachment.meta().isBeingDeleted()) {
      return awaitDeletion(volumeNode, key)
          ? createUncertain(BEING_DELETED)
          : attach(target, csi, node);
    }
    if (attachment.attached()) {
      // no earlier deletion request knows a new attachment
      return waits.removeCreated(key, attachment.meta().uid())
          ? createDone(new Attached(""))
          : protect(volumeNode, attachment);
    }
    return createUncertain(
        attachment.attachError().isEmpty() ? createTimeoutMessage(csi) : attachment.attachError());
  }

  private static String createTimeoutMessage(VolumeId.Csi csi) {
    return "timed out waiting for external-attacher of "
        + csi.driver()
        + " CSI driver to attach volume "
        + csi.handle();
  }

  /**
   * Registers an attach that must wait for a deletion; the deletion event retries it at once.
   *
   * @return false if the attachment is already gone
   */
  private boolean awaitDeletion(VolumeNode attach, ObjectKey key) {
    waits.awaitDeletion(key, attach);
    return find(key) != null || !waits.endDeletionWait(key);
  }

  private static boolean isAnswered(Attachment attachment) {
    return attachment.meta().isBeingDeleted()
        || attachment.attached()
        || !attachment.attachError().isEmpty();
  }

  AttachCallResult<Attached> protect(VolumeNode volumeNode, Attachment attachment)
      throws InterruptedException {
    if (compat.isKubernetes()) {
      return createDone(new Attached(""));
    }
    return switch (versionBumper.bump(Kind.ATTACHMENT, attachment)) {
      case WriteResult.Written<Attachment>(Attachment current)
          when current.meta().isBeingDeleted() -> {
        awaitDeletion(
            volumeNode, current.key()); // if it is already gone, the usual back-off applies
        yield createUncertain(BEING_DELETED);
      }
      case WriteResult.Written<Attachment>(Attachment current) when !current.attached() ->
          createUncertain("VolumeAttachment " + attachment.key().name() + " is no longer attached");
      case WriteResult.Written<Attachment>(Attachment current) -> {
        versionBumper.removeMark(Kind.ATTACHMENT, current);
        yield createDone(new Attached(""));
      }
      case WriteResult.Gone<Attachment> _ ->
          createUncertain(
              "VolumeAttachment " + attachment.key().name() + " was deleted by another client");
      case WriteResult.Conflict<Attachment>(String message) ->
          createUncertain(MESSAGE_PREFIX + message);
      case WriteResult.Rejected<Attachment> _ -> createDone(new Attached("")); // as in Kubernetes
      case WriteResult.Unreachable<Attachment>(String message) -> createUnanswered(message);
    };
  }

  private WriteResult<Attachment> create(
      ObjectKey key, AttachTarget target, VolumeId.Csi csi, String node)
      throws InterruptedException {
    Document document =
        Document.empty()
            .set(key.name(), "metadata", "name")
            .set(csi.driver(), "spec", "attacher")
            .set(node, "spec", "nodeName");
    if (target.inlineSpec().isEmpty()) {
      document.set(target.persistentVolume(), "spec", "source", "persistentVolumeName");
    } else {
      document.set(target.inlineSpec(), "spec", "source", "inlineVolumeSpec");
    }
    return ports.writer().create(Kind.ATTACHMENT, key, document);
  }

  private static Optional<AttachCallResult<Attached>> findFailure(
      ObjectKey key, WriteResult<Attachment> result) {
    return switch (result) {
      case WriteResult.Written<Attachment> _ -> Optional.empty();
      case WriteResult.Conflict<Attachment> _ -> Optional.empty(); // it exists; its status counts
      case WriteResult.Gone<Attachment> _ ->
          Optional.of(
              createFailed(
                  new Failure.Rejected(
                      MESSAGE_PREFIX + "the server does not serve VolumeAttachments")));
      case WriteResult.Rejected<Attachment>(int code, String message) ->
          // a quota or webhook may allow it later without a change here
          Optional.of(
              createFailed(
                  new Failure.Exhausted(
                      MESSAGE_PREFIX
                          + "VolumeAttachment "
                          + key.name()
                          + " was refused ("
                          + code
                          + "): "
                          + message,
                      Duration.ZERO)));
      case WriteResult.Unreachable<Attachment>(String message) ->
          Optional.of(createUnanswered(message));
    };
  }

  AttachCallResult<Detached> detach(VolumeId.Csi csi, String node, Runnable onRequestSent)
      throws InterruptedException {
    ObjectKey key = csi.attachment(node);
    Attachment cached = find(key);
    return cached == null
        ? detachUncached(key, csi, onRequestSent)
        : detach(cached, csi, onRequestSent);
  }

  // the cache lacks the attachment, but it may exist
  private AttachCallResult<Detached> detachUncached(
      ObjectKey key, VolumeId.Csi csi, Runnable onRequestSent) throws InterruptedException {
    return switch (checkGone(key)) {
      case GoneVerdict.Gone() -> createDone(new Detached());
      case GoneVerdict.StillExists(Attachment current) -> detach(current, csi, onRequestSent);
      case GoneVerdict.Unknown(String message) -> createUnanswered(message);
    };
  }

  private GoneVerdict checkGone(ObjectKey key) throws InterruptedException {
    return LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> AttachmentCheck.decide(key, live));
  }

  private AttachCallResult<Detached> detach(
      Attachment attachment, VolumeId.Csi csi, Runnable onRequestSent) throws InterruptedException {
    if (!attachment.meta().isBeingDeleted()) {
      Optional<AttachCallResult<Detached>> result = delete(attachment, MAX_DELETES);
      if (result.isPresent()) {
        return result.get();
      }
    }
    onRequestSent.run();
    Uid uid = attachment.meta().uid();
    await(
        attachment.key(),
        current ->
            current == null || hasOtherUid(current, uid) || !current.detachError().isEmpty());
    Attachment currentAttachment = find(attachment.key());
    if (currentAttachment == null || hasOtherUid(currentAttachment, uid)) {
      return confirmGone(attachment);
    }
    return createUncertain(
        currentAttachment.detachError().isEmpty()
            ? "timed out waiting for external-attacher of "
                + csi.driver()
                + " CSI driver to detach volume "
                + csi.handle()
            : currentAttachment.detachError());
  }

  private static boolean hasOtherUid(Attachment current, Uid uid) {
    return !current.meta().uid().equals(uid);
  }

  // another node may get the volume now, so a missing attachment in the cache is not enough
  private AttachCallResult<Detached> confirmGone(Attachment attachment)
      throws InterruptedException {
    return switch (checkGone(attachment.key())) {
      case GoneVerdict.Gone() -> createDone(new Detached());
      case GoneVerdict.StillExists _ ->
          createUncertain("VolumeAttachment " + attachment.key().name() + " still exists");
      case GoneVerdict.Unknown(String message) -> createUnanswered(message);
    };
  }

  // deletes the attachment; empty if the driver must still detach the volume
  private Optional<AttachCallResult<Detached>> delete(Attachment attachment, int remainingTries)
      throws InterruptedException {
    waits.removeCreated(attachment.key());
    long version = compat.isKubernetes() ? 0 : attachment.meta().resourceVersion();
    WriteResult<Attachment> result =
        ports.writer().delete(Kind.ATTACHMENT, attachment.key(), attachment.meta().uid(), version);
    return switch (result) {
      case WriteResult.Written<Attachment> _ -> Optional.empty();
      case WriteResult.Gone<Attachment> _ -> Optional.of(createDone(new Detached()));
      case WriteResult.Conflict<Attachment>(String message) ->
          remainingTries == 1
              ? Optional.of(createUncertain(MESSAGE_PREFIX + message))
              : retryDelete(attachment, message, remainingTries - 1);
      case WriteResult.Rejected<Attachment>(int code, String message) ->
          Optional.of(
              createUncertain(
                  MESSAGE_PREFIX
                      + "deleting VolumeAttachment "
                      + attachment.key().name()
                      + " was refused ("
                      + code
                      + "): "
                      + message));
      case WriteResult.Unreachable<Attachment>(String message) ->
          Optional.of(createUnanswered(message));
    };
  }

  // retries after a conflict: the attacher also writes to the attachment
  private Optional<AttachCallResult<Detached>> retryDelete(
      Attachment attachment, String conflict, int remainingTries) throws InterruptedException {
    return switch (checkGone(attachment.key())) {
      case GoneVerdict.Gone() -> Optional.of(createDone(new Detached()));
      case GoneVerdict.StillExists(Attachment current)
          when hasOtherUid(current, attachment.meta().uid()) ->
          Optional.of(createUncertain(MESSAGE_PREFIX + conflict)); // a watch event will follow
      case GoneVerdict.StillExists(Attachment current) ->
          current.meta().isBeingDeleted() ? Optional.empty() : delete(current, remainingTries);
      case GoneVerdict.Unknown(String message) ->
          Optional.of(createUnanswered(conflict + "; then: " + message));
    };
  }

  private boolean await(ObjectKey key, Predicate<@Nullable Attachment> condition)
      throws InterruptedException {
    return waits.await(key, () -> condition.test(find(key)), attacherTimeout);
  }

  private static <T> AttachCallResult<T> createDone(T value) {
    return new AttachCallResult.Answered<>(Attempt.done(value));
  }

  private static <T> AttachCallResult<T> createFailed(Failure failure) {
    return new AttachCallResult.Answered<>(new Attempt.Failed<>(failure));
  }

  private static <T> AttachCallResult<T> createUncertain(String message) {
    return createFailed(new Failure.Uncertain(message));
  }

  private static <T> AttachCallResult<T> createUnanswered(String message) {
    return new AttachCallResult.Unanswered<>(MESSAGE_PREFIX + message);
  }
}
