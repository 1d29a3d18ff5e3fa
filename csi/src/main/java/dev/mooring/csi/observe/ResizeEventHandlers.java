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
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.workqueue.WorkQueue;
import java.util.Optional;

/** Requeues claims whose volume may have to grow, or to get another attributes class. */
public final class ResizeEventHandlers {
  private final String driver;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final VolumeUsers use;
  private final ResizeMemory resizes;
  private final ModifyMemory changes;
  private final WorkQueue<ObjectKey> queue;

  public ResizeEventHandlers(
      String driver,
      SharedInformers informers,
      ResizeMemory resizes,
      ModifyMemory changes,
      WorkQueue<ObjectKey> queue) {
    this.driver = driver;
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.use = new VolumeUsers(informers);
    this.resizes = resizes;
    this.changes = changes;
    this.queue = queue;
  }

  public ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(volumes, use.pods(), use.attachments(), claims)
        .on(claims, this::claimChanged)
        .on(volumes, this::volumeChanged)
        .on(use.pods(), this::podChanged)
        .on(use.attachments(), this::attachmentChanged);
  }

  // The driver may be another version, which grows volumes in use.
  public void driverIsReady() {
    resizes.clearInUse();
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
        resizes.forget(last);
        changes.forget(last);
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
        && DriverVolumes.handle(now, driver).isPresent()
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
    if (!use.isInUse(claim)) {
      claims.get(claim).filter(resizes::mayRefuseInUse).ifPresent(this::add);
    }
  }

  // A volume without an attachment is unused, even if pods wait for it.
  private void attachmentChanged(Change<Attachment> change) {
    if (change instanceof Change.Deleted<Attachment>(Attachment last)
        && !use.mayBePublished(last.volumeName())) {
      volumes
          .get(ObjectKey.cluster(last.volumeName()))
          .flatMap(volume -> Optional.ofNullable(volume.claimRef()))
          .flatMap(ref -> claims.get(ref.claim()))
          .filter(resizes::clearInUse)
          .ifPresent(this::add);
    }
  }
}
