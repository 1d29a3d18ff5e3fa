package dev.mooring.csi;

import dev.mooring.csi.decide.PublicationRecord;
import dev.mooring.csi.decide.PublishRules;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.VolumePublisher;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

final class AttachController {

  private final String name;
  private final DriverSession session;
  private final CsiConfig config;
  private final VolumePublisher publisher;
  private final Informer<Attachment> attachments;
  private final Informer<Volume> volumes;
  private final WorkQueue<ObjectKey> queue;
  private final WorkQueue<ObjectKey> volumeQueue;
  private final WorkQueue<String> verifications;
  private final Set<ObjectKey> forced = ConcurrentHashMap.newKeySet();

  AttachController(
      DriverSession session,
      CsiConfig config,
      VolumePublisher publisher,
      SharedInformers informers,
      Time time) {
    this.session = session;
    this.config = config;
    this.publisher = publisher;
    this.attachments = informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME);
    this.volumes = informers.of(Kind.VOLUME);
    this.name = "csi-attacher-" + session.driver();
    this.queue =
        WorkQueue.fair(
            name + "-va",
            time,
            new Backoff<>(config.firstRetry(), config.lastRetry()),
            ServedNamespace.ofAttachments(attachments, volumes));
    this.volumeQueue =
        WorkQueue.fair(
            name + "-pv",
            time,
            new Backoff<>(config.firstRetry(), config.lastRetry()),
            ServedNamespace.ofVolumes(volumes));
    this.verifications = new WorkQueue<>(name + "-verify", time);
  }

  ControllerSpec spec() {
    return ControllerSpec.named(name)
        .reads(volumes, attachments)
        .on(attachments, this::attachmentChanged)
        .on(volumes, this::volumeChanged)
        .once(() -> session.onReady(this::requeueAll))
        .loop(queue, this::sync, config.workers())
        .loop(volumeQueue, this::syncVolume, 1)
        .patrol(verifications, this::verify)
        .once(() -> verifications.add(session.driver()))
        .build();
  }

  // A driver that becomes ready requeues its attachments.
  private void requeueAll() {
    for (Attachment attachment : attachments.snapshot().all()) {
      if (isOurs(attachment)) {
        queue.add(attachment.key());
      }
    }
  }

  private boolean isOurs(Attachment attachment) {
    return attachment.attacher().equals(session.driver())
        && config.onlyNode().map(attachment.nodeName()::equals).orElse(true);
  }

  private void attachmentChanged(Change<Attachment> change) {
    switch (change) {
      case Change.Added<Attachment>(Attachment now) -> {
        if (isOurs(now)) {
          queue.add(now.key());
        }
      }
      case Change.Updated<Attachment>(Attachment before, Attachment now) -> {
        if (isOurs(now) && differsOnlyByOwnError(before, now)) {
          queue.addIfNotBackingOff(now.key()); // a write that was given up may have succeeded late
        } else if (isOurs(now)) {
          queue.add(now.key());
        }
      }
      case Change.Deleted<Attachment>(Attachment last) -> {
        forced.remove(last.key());
        volumeQueue.add(ObjectKey.cluster(last.volumeName()));
      }
    }
  }

  // Our own error in the status must not end the back-off that it started. This controller removes
  // an error only together with another change.
  private static boolean differsOnlyByOwnError(Attachment before, Attachment now) {
    boolean errorRemoved = !before.attachError().isEmpty() && now.attachError().isEmpty();
    return !errorRemoved && withoutErrors(before).equals(withoutErrors(now));
  }

  private static Attachment withoutErrors(Attachment attachment) {
    return new Attachment(
        attachment.meta().withoutVersion(),
        attachment.attacher(),
        attachment.volumeName(),
        attachment.nodeName(),
        attachment.attached(),
        "",
        "");
  }

  private void volumeChanged(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume>(Volume now) -> {
        enqueueIfDeleted(now);
        requeueAttachments(now);
      }
      case Change.Updated<Volume>(Volume before, Volume now) -> {
        enqueueIfDeleted(now);
        // a server that was restored from a backup may revert a deletion
        if (!before.meta().uid().equals(now.meta().uid())
            || before.meta().isBeingDeleted() && !now.meta().isBeingDeleted()) {
          requeueAttachments(now);
        }
      }
      case Change.Deleted<Volume> _ -> {}
    }
  }

  private void enqueueIfDeleted(Volume volume) {
    if (volume.meta().isBeingDeleted() && volume.finalizers().contains(publisher.finalizer())) {
      volumeQueue.add(volume.key());
    }
  }

  // An error for a missing or earlier volume of that name is obsolete.
  private void requeueAttachments(Volume volume) {
    for (Attachment attachment :
        attachments.findByIndex(AttachmentIndex.BY_VOLUME, volume.meta().name())) {
      if (isOurs(attachment) && !attachment.attached()) {
        queue.add(attachment.key());
      }
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Attachment> attachment = attachments.get(key);
    if (attachment.isEmpty() || !isOurs(attachment.get())) {
      forced.remove(key);
      return Outcome.SETTLED;
    }
    return publisher.sync(attachment.get(), forced.remove(key));
  }

  private Outcome syncVolume(ObjectKey key) throws InterruptedException {
    Optional<Volume> volume = volumes.get(key);
    if (volume.isEmpty()
        || !volume.get().meta().isBeingDeleted()
        || !volume.get().finalizers().contains(publisher.finalizer())) {
      return Outcome.SETTLED;
    }
    if (AttachmentIndex.any(attachments, key.name()).isPresent()) {
      return Outcome.SETTLED; // the last attachment's deletion requeues the volume
    }
    return publisher.releaseVolume(volume.get());
  }

  // Compares the driver's publications with the attachments, and repeats calls where they differ.
  private Outcome verify(String driver) {
    Outcome later = new Outcome.CheckAgain(config.listing().period());
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()
        || !identity.get().can(DriverCapability.LIST_VOLUMES)
        || !identity.get().can(DriverCapability.LIST_VOLUMES_PUBLISHED_NODES)) {
      return later;
    }
    CacheSnapshot<Attachment> before = attachments.snapshot();
    if (session.call("ListVolumes", c -> c.listVolumes(config.listing().maxEntries()))
        instanceof DriverReply.Ok<Map<String, ListedVolume>>(Map<String, ListedVolume> published)) {
      CacheSnapshot<Attachment> after = attachments.snapshot();
      for (Attachment attachment : before.all()) {
        boolean same = after.get(attachment.key()).filter(attachment::equals).isPresent();
        if (same && isOurs(attachment) && differs(attachment, published)) {
          forced.add(attachment.key());
          queue.add(attachment.key());
        }
      }
    }
    return later;
  }

  private boolean differs(Attachment attachment, Map<String, ListedVolume> published) {
    Optional<String> current =
        volumes
            .get(ObjectKey.cluster(attachment.volumeName()))
            .filter(volume -> !PublishRules.isOver(attachment, volume))
            .flatMap(v -> DriverVolumes.handle(v, session.driver()));
    if (current.isEmpty()) {
      return false;
    }
    String recorded = PublicationRecord.recorded(attachment).handle();
    boolean replaced = !recorded.isEmpty() && !recorded.equals(current.get());
    if (replaced && !attachment.meta().isBeingDeleted()) {
      return false; // the driver must not be called for the new volume of that name
    }
    ListedVolume listed = published.get(recorded.isEmpty() ? current.get() : recorded);
    return PublishRules.differs(
        attachment.attached(),
        publisher.nodeId(attachment),
        listed == null ? null : listed.nodes());
  }
}
