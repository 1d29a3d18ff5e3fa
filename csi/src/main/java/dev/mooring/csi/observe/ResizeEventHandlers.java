package dev.mooring.csi.observe;

import dev.mooring.csi.decide.ResizeRules;
import dev.mooring.csi.state.ModifyMemory;
import dev.mooring.csi.state.ResizeMemory;
import dev.mooring.csi.state.VolumeUsers;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.workqueue.WorkQueue;
import java.util.Objects;
import java.util.Optional;

/** Requeues claims whose volume may have to grow, or to get another attributes class. */
public final class ResizeEventHandlers {
  private final String driver;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final VolumeUsers volumeUsers;
  private final ResizeMemory resizeMemory;
  private final ModifyMemory modifyMemory;
  private final WorkQueue<ObjectKey> queue;

  public ResizeEventHandlers(
      String driver,
      SharedInformers informers,
      ResizeMemory resizeMemory,
      ModifyMemory modifyMemory,
      WorkQueue<ObjectKey> queue) {
    this.driver = driver;
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.volumeUsers = new VolumeUsers(informers);
    this.resizeMemory = resizeMemory;
    this.modifyMemory = modifyMemory;
    this.queue = queue;
  }

  public ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(volumes, volumeUsers.pods(), volumeUsers.attachments(), claims)
        .addHandler(claims, this::claimChanged)
        .addHandler(volumes, this::volumeChanged)
        .addHandler(volumeUsers.pods(), this::podChanged)
        .addHandler(volumeUsers.attachments(), this::attachmentChanged);
  }

  // The driver may be another version, which grows volumes in use.
  public void driverIsReady() {
    resizeMemory.clearAllInUse();
    claims.snapshot().objects().forEach(this::requeueIfBound);
  }

  void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim current) -> requeueIfBound(current);
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (old.isReplacedBy(current)) {
          forget(old);
        }
        if (ResizeRules.isRelevantChange(old, current)) {
          requeueIfBound(current);
        }
      }
      case Change.Deleted<Claim>(Claim last, _) -> forget(last);
    }
  }

  private void forget(Claim claim) {
    resizeMemory.forget(claim);
    modifyMemory.forget(claim);
    queue.forget(claim.key());
  }

  private void requeueIfBound(Claim claim) {
    if (claim.phase() == ClaimPhase.BOUND) {
      queue.add(claim.key());
    }
  }

  // The watch of volumes may lag behind that of claims. An annotation that a crash left on the
  // volume is removed after its claim has grown.
  private void volumeChanged(Change<Volume> change) {
    boolean isRelevant =
        switch (change) {
          case Change.Added<Volume> _ -> true;
          case Change.Updated<Volume>(Volume old, Volume current) ->
              !Objects.equals(old.claimRef(), current.claimRef())
                  || !old.meta().annotations().equals(current.meta().annotations());
          case Change.Deleted<Volume> _ -> false;
        };
    ClaimRef ref = change.object().claimRef();
    if (isRelevant && ref != null && DriverVolumes.handle(change.object(), driver).isPresent()) {
      claims.get(ref.claim()).ifPresent(this::requeueIfBound);
    }
  }

  // A driver that grows only unused volumes is called again when no pod uses the volume.
  private void podChanged(Change<Pod> change) {
    switch (change) {
      case Change.Added<Pod> _ -> {}
      case Change.Updated<Pod>(Pod old, Pod current) -> {
        if (old.isReplacedBy(current) || current.isFinished() && !old.isFinished()) {
          podEnded(old);
        }
      }
      case Change.Deleted<Pod>(Pod last, _) -> podEnded(last);
    }
  }

  private void podEnded(Pod pod) {
    pod.claims().forEach(name -> requeueIfUnused(ObjectKey.of(pod.key().namespace(), name)));
  }

  private void requeueIfUnused(ObjectKey claim) {
    if (!volumeUsers.isInUse(claim)) {
      claims.get(claim).filter(resizeMemory::mayRefuseInUse).ifPresent(this::requeueIfBound);
    }
  }

  // A volume without an attachment is unused, even if pods wait for it.
  private void attachmentChanged(Change<Attachment> change) {
    if (change instanceof Change.Deleted<Attachment>(Attachment last, _)
        && !volumeUsers.mayBePublished(last.volumeName())) {
      volumes
          .get(ObjectKey.cluster(last.volumeName()))
          .flatMap(volume -> Optional.ofNullable(volume.claimRef()))
          .flatMap(ref -> claims.get(ref.claim()))
          .filter(resizeMemory::clearInUse)
          .ifPresent(this::requeueIfBound);
    }
  }
}
