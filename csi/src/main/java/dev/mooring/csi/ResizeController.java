package dev.mooring.csi;

import dev.mooring.csi.decide.ResizeRules;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.LocalNodeStorage;
import dev.mooring.csi.execute.VolumeModifier;
import dev.mooring.csi.execute.VolumeResizer;
import dev.mooring.informer.Change;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.NodeStorage.Where;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.util.Optional;

/**
 * Resizer of one driver, equivalent to external-resizer. Growth and modification of one claim never
 * overlap.
 */
final class ResizeController {
  record Parts(VolumeResizer resizing, VolumeModifier modifying, Optional<LocalNodeStorage> node) {}

  private final DriverSession session;
  private final int workers;
  private final Parts parts;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<Pod> pods;
  private final Informer<Attachment> attachments;
  private final WorkQueue<ObjectKey> queue;

  ResizeController(
      DriverSession session, CsiConfig config, Parts parts, SharedInformers informers, Time time) {
    this.session = session;
    this.parts = parts;
    this.workers = config.workers();
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.pods = informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM);
    this.attachments = informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME);
    String name = "csi-resizer-" + session.driver();
    this.queue =
        WorkQueue.fair(
            name,
            time,
            new Backoff<>(config.firstRetry(), config.lastRetry()),
            ObjectKey::namespace);
  }

  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .reads(volumes, pods, attachments, claims)
        .on(claims, this::claimChanged)
        .on(volumes, this::volumeChanged)
        .on(pods, this::podChanged)
        .on(attachments, this::attachmentChanged)
        .once(() -> session.onReady(this::driverIsReady))
        .loop(queue, this::sync, workers)
        .build();
  }

  private void driverIsReady() {
    parts.resizing().driverIsReady();
    claims.snapshot().all().forEach(this::add);
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim now) -> add(now);
      case Change.Updated<Claim>(Claim before, Claim now) -> {
        if (ResizeRules.concerns(before, now)) {
          add(now);
        }
      }
      case Change.Deleted<Claim>(Claim last) -> {
        parts.resizing().forget(last);
        parts.modifying().forget(last);
        queue.forget(last.key());
      }
    }
  }

  private void add(Claim claim) {
    if (claim.phase() == ClaimPhase.BOUND) {
      queue.add(claim.key());
    }
  }

  // An annotation that a crash left on the volume is removed after its claim has grown.
  private void volumeChanged(Change<Volume> change) {
    if (change instanceof Change.Updated<Volume>(Volume before, Volume now)
        && DriverVolumes.handle(now, session.driver()).isPresent()
        && now.claimRef() != null
        && !before.meta().annotations().equals(now.meta().annotations())) {
      queue.add(now.claimRef().claim());
    }
  }

  // A driver that grows only unused volumes is called again when no pod uses the volume.
  private void podChanged(Change<Pod> change) {
    Pod pod = change.object();
    boolean isEnd =
        switch (change) {
          case Change.Added<Pod> _ -> false;
          case Change.Updated<Pod>(Pod before, Pod now) -> now.isFinished() && !before.isFinished();
          case Change.Deleted<Pod> _ -> true;
        };
    if (isEnd) {
      pod.claims().forEach(name -> requeueIfUnused(ObjectKey.of(pod.key().namespace(), name)));
    }
  }

  private void requeueIfUnused(ObjectKey claim) {
    if (!isInUse(claim)) {
      claims.get(claim).filter(parts.resizing()::mayBeRefusedInUse).ifPresent(this::add);
    }
  }

  // A volume without an attachment is unused, even if pods wait for it.
  private void attachmentChanged(Change<Attachment> change) {
    if (change instanceof Change.Deleted<Attachment>(Attachment last)
        && !mayBePublished(last.volumeName())) {
      volumes
          .get(ObjectKey.cluster(last.volumeName()))
          .flatMap(volume -> Optional.ofNullable(volume.claimRef()))
          .flatMap(ref -> claims.get(ref.claim()))
          .filter(parts.resizing()::free)
          .ifPresent(this::add);
    }
  }

  // The driver was never called for an attachment without a finalizer.
  private boolean mayBePublished(String volume) {
    for (Attachment attachment : attachments.findByIndex(AttachmentIndex.BY_VOLUME, volume)) {
      if (attachment.attached() || !attachment.meta().finalizers().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  // For a migrated in-tree volume the claim's annotation names the resizer.
  private boolean isOurs(Claim claim, Volume volume) {
    boolean isResizer =
        !DriverVolumes.isInTree(volume, session.driver())
            || claim.meta().annotation(CsiMigration.RESIZER).equals(session.driver());
    return isResizer && DriverVolumes.handle(volume, session.driver()).isPresent();
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> known = claims.get(key);
    if (known.isEmpty() || known.get().phase() != ClaimPhase.BOUND) {
      return Outcome.SETTLED;
    }
    Claim claim = known.get();
    Optional<Volume> volume = volumes.get(ObjectKey.cluster(claim.volumeName()));
    boolean ours =
        volume.isPresent()
            && isOurs(claim, volume.get())
            && volume.get().claimRef() != null
            && volume.get().claimRef().isFor(key, claim.meta().uid());
    if (!ours) {
      return Outcome.SETTLED;
    }
    return switch (where(claim, volume.get())) {
      case HERE -> sync(claim, volume.get());
      case ELSEWHERE, UNKNOWN -> Outcome.SETTLED;
      case UNANSWERED ->
          new Outcome.Unanswered(
              "whether the volume of claim "
                  + key
                  + " belongs to this node: the API server did not answer");
    };
  }

  // An instance for all nodes serves every volume.
  private Where where(Claim claim, Volume volume) throws InterruptedException {
    return parts.node().isPresent() ? parts.node().get().where(claim, volume) : Where.HERE;
  }

  private Outcome sync(Claim claim, Volume volume) throws InterruptedException {
    ObjectKey key = claim.key();
    Outcome resized = parts.resizing().sync(claim, volume, isInUse(key));
    // a claim that waits for a retry of the growth is not growing
    if (!(resized instanceof Outcome.Settled || resized instanceof Outcome.CheckAgain)) {
      return resized;
    }
    // the growth may have written both objects
    Outcome modified = parts.modifying().sync(claims.get(key).orElse(claim), known(volume));
    return modified instanceof Outcome.Settled ? resized : modified;
  }

  private Volume known(Volume volume) {
    return volumes.get(volume.key()).orElse(volume);
  }

  private boolean isInUse(ObjectKey claim) {
    for (Pod pod : pods.findByIndex(IndexSet.PODS_BY_CLAIM, claim)) {
      if (!pod.isFinished()) {
        return true;
      }
    }
    return false;
  }
}
