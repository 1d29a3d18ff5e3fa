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
 * Attaches CSI volumes through VolumeAttachments; the status contains the attacher's answer
 * (spec/attachdetach.md 11). Watch events wake waiting calls, there is no polling. Thread-safe.
 *
 * <p>A deletion request may arrive after its sender was killed, or wants the volume attached again.
 * So a deletion names the known resource version, and an existing attachment gets a new version
 * before it is used again.
 */
public final class VolumeAttachments {
  private static final String PREFIX = "kubernetes.io/csi: ";

  private static final String BEING_DELETED = "volume attachment is being deleted";

  private static final int TRIES = 5;

  private final Informer<Attachment> attachments;
  private final ClusterPorts ports;
  private final Duration patience;
  private final Compat compat;
  private final AttachmentWaits waits;
  private final VersionBumper versions;

  public VolumeAttachments(
      Informer<Attachment> attachments, ClusterPorts ports, Duration patience, Compat compat) {
    this.attachments = attachments;
    this.ports = ports;
    this.waits = new AttachmentWaits(ports.time());
    this.versions = new VersionBumper(ports.writer(), ports.time());
    this.patience = patience;
    this.compat = compat;
  }

  public @Nullable VolumeNode changed(Change<Attachment> change) {
    VolumeNode freed =
        change instanceof Change.Deleted<Attachment> ? waits.deleted(change.key()) : null;
    waits.changed(change.key());
    return freed;
  }

  public int waiters() {
    return waits.waiters();
  }

  private @Nullable Attachment find(ObjectKey key) {
    return attachments.get(key).orElse(null);
  }

  AttachCallResult<Attached> attach(AttachTarget target, VolumeId.Csi volume, String node)
      throws InterruptedException {
    ObjectKey key = volume.attachment(node);
    if (find(key) == null) {
      WriteResult<Attachment> result = create(key, target, volume, node);
      Optional<AttachCallResult<Attached>> refused = refused(key, result);
      if (refused.isPresent()) {
        return refused.get();
      }
      result.written().ifPresent(made -> waits.addCreated(key, made.meta().uid()));
    }
    boolean[] seen = new boolean[1];
    boolean over =
        await(
            key,
            found -> {
              seen[0] |= found != null;
              return found == null ? seen[0] : isAnswered(found);
            });
    Attachment last = find(key);
    if (last == null) {
      waits.removeCreated(key); // it may have been deleted before it was recorded
      return uncertain(
          over
              ? "VolumeAttachment " + key.name() + " was deleted by another client"
              : timedOut(volume));
    }
    VolumeNode where = new VolumeNode(target.id(), node);
    if (last.meta().isBeingDeleted()) {
      return awaitDeletion(where, key) ? uncertain(BEING_DELETED) : attach(target, volume, node);
    }
    if (last.attached()) {
      // no earlier deletion request knows a new attachment
      return waits.removeCreated(key, last.meta().uid())
          ? done(new Attached(""))
          : protect(where, last);
    }
    return uncertain(last.attachError().isEmpty() ? timedOut(volume) : last.attachError());
  }

  private static String timedOut(VolumeId.Csi volume) {
    return "timed out waiting for external-attacher of "
        + volume.driver()
        + " CSI driver to attach volume "
        + volume.handle();
  }

  /**
   * Registers an attach that must wait for a deletion; the deletion event retries it at once.
   *
   * @return false if the attachment is already gone
   */
  private boolean awaitDeletion(VolumeNode what, ObjectKey key) {
    waits.awaitDeletion(key, what);
    return find(key) != null || !waits.endDeletionWait(key);
  }

  private static boolean isAnswered(Attachment found) {
    return found.meta().isBeingDeleted() || found.attached() || !found.attachError().isEmpty();
  }

  AttachCallResult<Attached> protect(VolumeNode where, Attachment known)
      throws InterruptedException {
    if (compat.isKubernetes()) {
      return done(new Attached(""));
    }
    return switch (versions.set(Kind.ATTACHMENT, known)) {
      case WriteResult.Written<Attachment>(Attachment now) when now.meta().isBeingDeleted() -> {
        awaitDeletion(where, now.key()); // if it is already gone, the usual back-off applies
        yield uncertain(BEING_DELETED);
      }
      case WriteResult.Written<Attachment>(Attachment now) when !now.attached() ->
          uncertain("VolumeAttachment " + known.key().name() + " is no longer attached");
      case WriteResult.Written<Attachment>(Attachment now) -> {
        versions.clear(Kind.ATTACHMENT, now);
        yield done(new Attached(""));
      }
      case WriteResult.Gone<Attachment> _ ->
          uncertain("VolumeAttachment " + known.key().name() + " was deleted by another client");
      case WriteResult.Conflict<Attachment>(String message) -> uncertain(PREFIX + message);
      case WriteResult.Rejected<Attachment> _ -> done(new Attached("")); // as in Kubernetes
      case WriteResult.Unreachable<Attachment>(String message) -> unanswered(message);
    };
  }

  private WriteResult<Attachment> create(
      ObjectKey key, AttachTarget target, VolumeId.Csi volume, String node)
      throws InterruptedException {
    Document body =
        Document.empty()
            .set(key.name(), "metadata", "name")
            .set(volume.driver(), "spec", "attacher")
            .set(node, "spec", "nodeName");
    if (target.inlineSpec().isEmpty()) {
      body.set(target.persistentVolume(), "spec", "source", "persistentVolumeName");
    } else {
      body.set(target.inlineSpec(), "spec", "source", "inlineVolumeSpec");
    }
    return ports.writer().create(Kind.ATTACHMENT, key, body);
  }

  private static Optional<AttachCallResult<Attached>> refused(
      ObjectKey key, WriteResult<Attachment> creation) {
    return switch (creation) {
      case WriteResult.Written<Attachment> _ -> Optional.empty();
      case WriteResult.Conflict<Attachment> _ -> Optional.empty(); // it exists; its status counts
      case WriteResult.Gone<Attachment> _ ->
          Optional.of(
              failed(new Failure.Rejected(PREFIX + "the server does not serve VolumeAttachments")));
      case WriteResult.Rejected<Attachment>(int code, String message) ->
          // a quota or webhook may allow it later without a change here
          Optional.of(
              failed(
                  new Failure.Exhausted(
                      PREFIX
                          + "VolumeAttachment "
                          + key.name()
                          + " was refused ("
                          + code
                          + "): "
                          + message,
                      Duration.ZERO)));
      case WriteResult.Unreachable<Attachment>(String message) -> Optional.of(unanswered(message));
    };
  }

  AttachCallResult<Detached> detach(VolumeId.Csi volume, String node, Runnable asked)
      throws InterruptedException {
    ObjectKey key = volume.attachment(node);
    Attachment cached = find(key);
    return cached == null ? detachUncached(key, volume, asked) : detach(cached, volume, asked);
  }

  // the cache lacks the attachment, but it may exist
  private AttachCallResult<Detached> detachUncached(
      ObjectKey key, VolumeId.Csi volume, Runnable asked) throws InterruptedException {
    return switch (isGone(key)) {
      case GoneVerdict.Gone() -> done(new Detached());
      case GoneVerdict.StillThere(Attachment now) -> detach(now, volume, asked);
      case GoneVerdict.CannotTell(String why) -> unanswered(why);
    };
  }

  private GoneVerdict isGone(ObjectKey key) throws InterruptedException {
    return LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> AttachmentCheck.decide(key, live));
  }

  private AttachCallResult<Detached> detach(Attachment known, VolumeId.Csi volume, Runnable asked)
      throws InterruptedException {
    if (!known.meta().isBeingDeleted()) {
      Optional<AttachCallResult<Detached>> ended = delete(known, TRIES);
      if (ended.isPresent()) {
        return ended.get();
      }
    }
    asked.run();
    Uid uid = known.meta().uid();
    await(known.key(), now -> now == null || isOther(now, uid) || !now.detachError().isEmpty());
    Attachment last = find(known.key());
    if (last == null || isOther(last, uid)) {
      return confirmedGone(known);
    }
    return uncertain(
        last.detachError().isEmpty()
            ? "timed out waiting for external-attacher of "
                + volume.driver()
                + " CSI driver to detach volume "
                + volume.handle()
            : last.detachError());
  }

  private static boolean isOther(Attachment now, Uid uid) {
    return !now.meta().uid().equals(uid);
  }

  // another node may get the volume now, so a missing attachment in the cache is not enough
  private AttachCallResult<Detached> confirmedGone(Attachment known) throws InterruptedException {
    return switch (isGone(known.key())) {
      case GoneVerdict.Gone() -> done(new Detached());
      case GoneVerdict.StillThere _ ->
          uncertain("VolumeAttachment " + known.key().name() + " still exists");
      case GoneVerdict.CannotTell(String why) -> unanswered(why);
    };
  }

  // deletes the attachment; empty if the driver must still detach the volume
  private Optional<AttachCallResult<Detached>> delete(Attachment known, int tries)
      throws InterruptedException {
    waits.removeCreated(known.key());
    long version = compat.isKubernetes() ? 0 : known.meta().resourceVersion();
    WriteResult<Attachment> result =
        ports.writer().delete(Kind.ATTACHMENT, known.key(), known.meta().uid(), version);
    return switch (result) {
      case WriteResult.Written<Attachment> _ -> Optional.empty();
      case WriteResult.Gone<Attachment> _ -> Optional.of(done(new Detached()));
      case WriteResult.Conflict<Attachment>(String message) ->
          tries == 1
              ? Optional.of(uncertain(PREFIX + message))
              : retryDelete(known, message, tries - 1);
      case WriteResult.Rejected<Attachment>(int code, String message) ->
          Optional.of(
              uncertain(
                  PREFIX
                      + "deleting VolumeAttachment "
                      + known.key().name()
                      + " was refused ("
                      + code
                      + "): "
                      + message));
      case WriteResult.Unreachable<Attachment>(String message) -> Optional.of(unanswered(message));
    };
  }

  // retries after a conflict: the attacher also writes to the attachment
  private Optional<AttachCallResult<Detached>> retryDelete(
      Attachment known, String conflict, int tries) throws InterruptedException {
    return switch (isGone(known.key())) {
      case GoneVerdict.Gone() -> Optional.of(done(new Detached()));
      case GoneVerdict.StillThere(Attachment now) when isOther(now, known.meta().uid()) ->
          Optional.of(uncertain(PREFIX + conflict)); // a watch event will follow
      case GoneVerdict.StillThere(Attachment now) ->
          now.meta().isBeingDeleted() ? Optional.empty() : delete(now, tries);
      case GoneVerdict.CannotTell(String why) ->
          Optional.of(unanswered(conflict + "; then: " + why));
    };
  }

  private boolean await(ObjectKey key, Predicate<@Nullable Attachment> until)
      throws InterruptedException {
    return waits.await(key, () -> until.test(find(key)), patience);
  }

  private static <T> AttachCallResult<T> done(T what) {
    return new AttachCallResult.Answered<>(Attempt.done(what));
  }

  private static <T> AttachCallResult<T> failed(Failure why) {
    return new AttachCallResult.Answered<>(new Attempt.Failed<>(why));
  }

  private static <T> AttachCallResult<T> uncertain(String message) {
    return failed(new Failure.Uncertain(message));
  }

  private static <T> AttachCallResult<T> unanswered(String message) {
    return new AttachCallResult.Unanswered<>(PREFIX + message);
  }
}
