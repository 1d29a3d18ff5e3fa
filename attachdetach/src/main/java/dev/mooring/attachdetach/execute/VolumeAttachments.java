package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.AttachmentCheck;
import dev.mooring.attachdetach.decide.AttachmentCheck.GoneVerdict;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attacher.Detached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Attaches CSI volumes: a VolumeAttachment asks the driver's attacher, whose answer is its status
 * (spec/attachdetach.md 11). Answers are noticed when they come, not polled for. Thread-safe.
 */
public final class VolumeAttachments {
  private static final String PREFIX = "kubernetes.io/csi: ";

  private final Informer<Attachment> attachments;
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final Time time;
  private final Duration patience;
  private final Map<ObjectKey, Time.Signal> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger waiters = new AtomicInteger();

  /**
   * Through these.
   *
   * @param patience how long an attacher's answer is waited for
   */
  public VolumeAttachments(
      Informer<Attachment> attachments,
      ClusterWriter writer,
      LiveReader reader,
      Time time,
      Duration patience) {
    this.attachments = attachments;
    this.writer = writer;
    this.reader = reader;
    this.time = time;
    this.patience = patience;
  }

  /** A VolumeAttachment changed: whoever waits for it looks again. */
  public void changed(Change<Attachment> change) {
    Time.Signal signal = waiting.get(change.key());
    if (signal != null) {
      signal.raise();
    }
  }

  /** How many attaches and detaches wait for an attacher at this moment. */
  public int waiters() {
    return waiters.get();
  }

  private @Nullable Attachment find(ObjectKey key) {
    return attachments.get(key).orElse(null);
  }

  /** Has the volume attached to the node. */
  Asked<Attached> attach(AttachTarget target, VolumeId.Csi volume, String node)
      throws InterruptedException {
    ObjectKey key = volume.attachment(node);
    if (find(key) == null) {
      Optional<Asked<Attached>> refused = create(key, target, volume, node);
      if (refused.isPresent()) {
        return refused.get();
      }
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
    if (last == null && over) {
      return uncertain("VolumeAttachment " + key.name() + " was deleted by somebody");
    }
    if (last != null && last.meta().isBeingDeleted()) {
      return uncertain("volume attachment is being deleted");
    }
    if (last != null && last.attached()) {
      return done(new Attached(""));
    }
    if (last != null && !last.attachError().isEmpty()) {
      return uncertain(last.attachError());
    }
    return uncertain(
        "timed out waiting for external-attacher of "
            + volume.driver()
            + " CSI driver to attach volume "
            + volume.handle());
  }

  private static boolean isAnswered(Attachment found) {
    return found.meta().isBeingDeleted() || found.attached() || !found.attachError().isEmpty();
  }

  private Optional<Asked<Attached>> create(
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
    WriteResult<Attachment> result = writer.create(Kind.ATTACHMENT, key, body);
    return switch (result) {
      case WriteResult.Written<Attachment> _ -> Optional.empty();
      case WriteResult.Conflict<Attachment> _ -> Optional.empty(); // it is there; its answer counts
      case WriteResult.Gone<Attachment> _ ->
          Optional.of(
              failed(new Failure.Rejected(PREFIX + "the server does not serve VolumeAttachments")));
      case WriteResult.Rejected<Attachment>(int code, String message) ->
          // a quota or a webhook may say otherwise later, with nothing changed here
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

  /**
   * Has the volume detached from the node.
   *
   * @param asked called when the server has been asked, and the driver is waited for
   */
  Asked<Detached> detach(VolumeId.Csi volume, String node, Runnable asked)
      throws InterruptedException {
    ObjectKey key = volume.attachment(node);
    Attachment cached = find(key);
    return cached == null ? detachUnseen(key, volume, asked) : detach(cached, volume, asked);
  }

  /** The cache does not have it: there may be one all the same. */
  private Asked<Detached> detachUnseen(ObjectKey key, VolumeId.Csi volume, Runnable asked)
      throws InterruptedException {
    return switch (isGone(key, Optional.empty())) {
      case GoneVerdict.Gone() -> done(new Detached());
      case GoneVerdict.StillThere(Attachment now) -> detach(now, volume, asked);
      case GoneVerdict.CannotTell(String why) -> unanswered(why);
      case GoneVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private GoneVerdict isGone(ObjectKey key, Optional<Uid> known) throws InterruptedException {
    return LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> AttachmentCheck.decide(key, known, live));
  }

  /** The same, of an attachment that is there. */
  private Asked<Detached> detach(Attachment known, VolumeId.Csi volume, Runnable asked)
      throws InterruptedException {
    if (!known.meta().isBeingDeleted()) {
      Optional<Asked<Detached>> ended = delete(known);
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

  /** Another node may get the volume now: that the cache lacks the attachment is not enough. */
  private Asked<Detached> confirmedGone(Attachment known) throws InterruptedException {
    return switch (isGone(known.key(), Optional.of(known.meta().uid()))) {
      case GoneVerdict.Gone() -> done(new Detached());
      case GoneVerdict.StillThere _ ->
          uncertain("VolumeAttachment " + known.key().name() + " is still there");
      case GoneVerdict.CannotTell(String why) -> unanswered(why);
      case GoneVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  /** Deletes it; how the detach ended by that, empty if the driver has yet to do its part. */
  private Optional<Asked<Detached>> delete(Attachment known) throws InterruptedException {
    WriteResult<Attachment> result =
        writer.delete(Kind.ATTACHMENT, known.key(), known.meta().uid());
    return switch (result) {
      case WriteResult.Written<Attachment> _ -> Optional.empty();
      case WriteResult.Gone<Attachment> _ -> Optional.of(done(new Detached()));
      case WriteResult.Conflict<Attachment>(String message) ->
          Optional.of(uncertain(PREFIX + message));
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

  private boolean await(ObjectKey key, Predicate<@Nullable Attachment> until)
      throws InterruptedException {
    Time.Signal signal = waiting.computeIfAbsent(key, k -> time.signal());
    waiters.incrementAndGet();
    try {
      return signal.await(() -> until.test(find(key)), patience);
    } finally {
      waiters.decrementAndGet();
      waiting.remove(key, signal);
    }
  }

  private static <T> Asked<T> done(T what) {
    return new Asked.Answered<>(Attempt.done(what));
  }

  private static <T> Asked<T> failed(Failure why) {
    return new Asked.Answered<>(new Attempt.Failed<>(why));
  }

  private static <T> Asked<T> uncertain(String message) {
    return failed(new Failure.Uncertain(message));
  }

  private static <T> Asked<T> unanswered(String message) {
    return new Asked.Unanswered<>(PREFIX + message);
  }
}
