package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.ClassParameters.Purpose;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.VolumeService.DestroyCall;
import dev.mooring.storage.VolumeService.DestroyPlan;
import dev.mooring.storage.VolumeService.DestroyResult;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes a driver's volumes. Thread-safe.
 *
 * @param capacity empty if no capacity is published
 * @param orphans remembers deleted volumes until a list confirms that they are gone
 */
public record VolumeDeleter(
    DriverSession session,
    LiveReader reader,
    Informer<StorageClass> classes,
    Informer<Attachment> attachments,
    Optional<CapacityTracker> capacity,
    OrphanMemory orphans) {
  DestroyPlan prepare(Volume volume) throws InterruptedException {
    Optional<String> handle = DriverVolumes.handle(volume, session.driver());
    if (handle.isEmpty()) {
      return new DestroyPlan.Blocked(
          new DestroyResult.NotResponsible(
              "the volume does not belong to CSI driver " + session.driver()));
    }
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return new DestroyPlan.Blocked(
          new DestroyResult.Failed(
              "CSI driver " + session.driver() + " is not ready: " + session.problem()));
    }
    if (identity.get().can(DriverCapability.PUBLISH_UNPUBLISH_VOLUME)) {
      Optional<Attachment> attachment = AttachmentIndex.findAny(attachments, volume.meta().name());
      if (attachment.isPresent()) {
        return new DestroyPlan.Blocked(
            new DestroyResult.Failed(
                "persistentvolume %s is still attached to node %s"
                    .formatted(volume.meta().name(), attachment.get().nodeName())));
      }
    }
    return switch (findDeletionSecret(volume).then(new SecretReader(reader)::readIfPresent)) {
      case CheckResult.Valid<DriverSecrets>(DriverSecrets credentials) -> {
        AbandonedVolume abandoned = AbandonedVolume.of(volume, handle.get(), true);
        DestroyCall call = () -> delete(abandoned, credentials);
        yield new DestroyPlan.Ready(
            capacity.isPresent() ? capacity.get().notifyAfterDeletion(volume, call) : call);
      }
      case CheckResult.Invalid<DriverSecrets>(String reason) ->
          new DestroyPlan.Blocked(new DestroyResult.Failed(reason));
      case CheckResult.Unknown<DriverSecrets>(String reason) ->
          new DestroyPlan.Blocked(new DestroyResult.Unknown(reason));
    };
  }

  DestroyResult delete(AbandonedVolume volume, DriverSecrets credentials) {
    return switch (session.call(
        "DeleteVolume", c -> c.deleteVolume(volume.handle(), credentials))) {
      case DriverReply.Ok<Done> _ -> {
        orphans.recordDeleted(volume);
        yield new DestroyResult.Destroyed();
      }
      case DriverReply.Refused<Done> refusal -> new DestroyResult.Failed(refusal.text());
    };
  }

  // Invalid if the class does not say which Secret the driver needs: without it a driver may not
  // find the volume and report it as deleted. A Secret may be deleted before the volume: the driver
  // may still be able to delete the volume.
  private CheckResult<Optional<SecretRef>> findDeletionSecret(Volume volume) {
    Map<String, String> annotations = volume.meta().annotations();
    if (VolumeObjects.namesDeletionSecret(annotations)) {
      return new CheckResult.Valid<>(VolumeObjects.deletionSecret(annotations));
    }
    Optional<StorageClass> storageClass = classes.get(ObjectKey.cluster(volume.storageClass()));
    if (storageClass.isEmpty() || volume.claimRef() == null) {
      return new CheckResult.Valid<>(Optional.empty());
    }
    Claim claim = VolumeObjects.buildClaim(volume);
    CheckResult<Optional<SecretRef>> ref =
        DriverClasses.translate(storageClass.get(), session.driver())
            .then(translated ->
                new ClassParameters(translated.parameters())
                    .resolveSecret(Purpose.PROVISION, volume.meta().name(), claim));
    return ref instanceof CheckResult.Invalid<Optional<SecretRef>>(String reason)
        ? new CheckResult.Invalid<>(
            "the Secret for the deletion is unknown: StorageClass \"%s\": %s"
                .formatted(volume.storageClass(), reason))
        : ref;
  }
}
