package dev.mooring.csi.execute;

import dev.mooring.csi.decide.AttachmentScope;
import dev.mooring.csi.decide.PartialHandles;
import dev.mooring.csi.decide.PublicationRecord;
import dev.mooring.csi.decide.PublishRules;
import dev.mooring.csi.state.AttachmentMemory;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.workqueue.WorkQueue;
import java.util.Map;
import java.util.Optional;

/** Reconciles the attachments of one driver, and compares them with its publications. */
public final class AttachmentReconciler {
  private final VolumePublisher publisher;
  private final AttachmentScope scope;
  private final AttachmentMemory memory;
  private final Informer<Attachment> attachments;
  private final Informer<Volume> volumes;
  private final WorkQueue<ObjectKey> queue;

  public AttachmentReconciler(
      VolumePublisher publisher,
      AttachmentMemory memory,
      SharedInformers informers,
      WorkQueue<ObjectKey> queue) {
    this.publisher = publisher;
    this.scope = publisher.scope();
    this.memory = memory;
    this.attachments = informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME);
    this.volumes = informers.of(Kind.VOLUME);
    this.queue = queue;
  }

  public Outcome sync(ObjectKey key) throws InterruptedException {
    boolean isForced = memory.takeContradiction(key);
    Optional<Attachment> attachment = attachments.get(key).filter(scope::contains);
    return attachment.isPresent() ? publisher.sync(attachment.get(), isForced) : Outcome.SETTLED;
  }

  public Outcome syncVolume(ObjectKey key) throws InterruptedException {
    Optional<Volume> volume = volumes.get(key).filter(scope::isReleasable);
    return volume.isEmpty() || AttachmentIndex.findAny(attachments, key.name()).isPresent()
        ? Outcome.SETTLED // the last attachment's deletion requeues the volume
        : publisher.releaseVolume(volume.get());
  }

  /**
   * Compares the driver's publications with the attachments, and repeats calls where they differ.
   *
   * @param maxEntries maximum number of entries in one answer; 0 for no limit
   */
  public void verify(int maxEntries) {
    DriverSession session = publisher.session();
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()
        || !identity.get().can(DriverCapability.LIST_VOLUMES)
        || !identity.get().can(DriverCapability.LIST_VOLUMES_PUBLISHED_NODES)) {
      return;
    }
    CacheSnapshot<Attachment> startSnapshot = attachments.snapshot();
    if (session.call("ListVolumes", c -> c.listVolumes(maxEntries))
        instanceof DriverReply.Ok<Map<String, ListedVolume>>(Map<String, ListedVolume> published)) {
      CacheSnapshot<Attachment> endSnapshot = attachments.snapshot();
      for (Attachment attachment : startSnapshot.objects()) {
        boolean isUnchanged =
            endSnapshot.get(attachment.key()).filter(attachment::equals).isPresent();
        if (isUnchanged && scope.contains(attachment) && differsFromDriver(attachment, published)) {
          memory.recordContradiction(attachment.key());
          queue.add(attachment.key());
        }
      }
    }
  }

  private boolean differsFromDriver(Attachment attachment, Map<String, ListedVolume> published) {
    Optional<String> currentHandle = findHandle(attachment);
    if (currentHandle.isEmpty()) {
      return false;
    }
    String recordedHandle = PublicationRecord.read(attachment).handle();
    boolean isReplaced = !recordedHandle.isEmpty() && !recordedHandle.equals(currentHandle.get());
    if (isReplaced && !attachment.meta().isBeingDeleted()) {
      return false; // the driver must not be called for the new volume of that name
    }
    String nodeId = publisher.nodeId(attachment);
    Optional<String> listedHandle =
        PartialHandles.complete(
            recordedHandle.isEmpty() ? currentHandle.get() : recordedHandle, nodeId);
    if (listedHandle.isEmpty()) {
      return false;
    }
    ListedVolume listedVolume = published.get(listedHandle.get());
    return PublishRules.differsFromList(
        attachment.attached(), nodeId, listedVolume == null ? null : listedVolume.nodes());
  }

  private Optional<String> findHandle(Attachment attachment) {
    if (attachment.volumeName().isEmpty()) {
      VolumeSource inlineSource = attachment.inline().source();
      return Optional.of(inlineSource.attribute("volumeHandle")).filter(it -> !it.isEmpty());
    }
    return volumes
        .get(ObjectKey.cluster(attachment.volumeName()))
        .filter(volume -> !PublishRules.canNeverComplete(attachment, volume))
        .flatMap(volume -> DriverVolumes.handle(volume, scope.driver()));
  }
}
