package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.List;

/** Emits the protocol's events for claims and volumes. Thread-safe. */
public record ProvisionReporter(EventSink events, String reporter) {
  private static final String FAILED = "ProvisioningFailed";

  void reportStart(Claim claim) {
    emitEvent(
        claim,
        ClusterEvent.Type.NORMAL,
        "Provisioning",
        "External provisioner is provisioning volume for claim \"" + claim.key() + "\"");
  }

  void reportSuccess(Claim claim, String volume) {
    emitEvent(
        claim,
        ClusterEvent.Type.NORMAL,
        "ProvisioningSucceeded",
        "Successfully provisioned volume " + volume);
  }

  void reportFailure(Claim claim, String message) {
    emitEvent(claim, ClusterEvent.Type.WARNING, FAILED, message);
  }

  void reportProblem(Claim claim, String message) {
    if (claim.meta().isBeingDeleted()) {
      reportPossibleVolume(claim, message);
    } else {
      reportFailure(claim, message);
    }
  }

  public void reportUsedName(Claim claim, String message) {
    reportFailure(
        claim,
        "%s; nothing is provisioned for this claim. Delete that PersistentVolume, or create the claim again, which gives its volume another name"
            .formatted(message));
  }

  void reportTakenName(Claim claim, String message) {
    reportProblem(
        claim,
        "%s; delete that PersistentVolume, or set its claimRef to this claim. The storage keeps the volume that it created for the claim"
            .formatted(message));
  }

  void reportPossibleVolume(Claim claim, String message) {
    reportFailure(
        claim,
        "%s; the claim stays until the storage reports whether it created a volume. To remove the claim anyway, and possibly leave a volume behind, remove its finalizer %s"
            .formatted(message, VolumeService.BEING_MADE));
  }

  public void reportUnserved(Claim claim, List<String> provisioners) {
    reportPossibleVolume(
        claim,
        "provisioner %s may have created a volume for this claim, and this process does not serve it: load its plugin or add its driver"
            .formatted(String.join(", ", provisioners)));
  }

  void reportInfeasible(Claim claim, String message) {
    reportFailure(
        claim,
        "Volume provisioning failed with infeasible error. Retries will be delayed. " + message);
  }

  void reportUnsaved(Claim claim, String message) {
    reportFailure(
        claim,
        "Error creating provisioned PV object for claim %s: %s. Deleting the volume."
            .formatted(claim.key(), message));
  }

  void reportFailedCleanup(Claim claim, String message) {
    emitEvent(
        claim,
        ClusterEvent.Type.WARNING,
        "ProvisioningCleanupFailed",
        "Error cleaning provisioned volume for claim %s: %s. Please delete manually."
            .formatted(claim.key(), message));
  }

  void reportFailedDeletion(Volume volume, String message) {
    emitEvent(volume, "VolumeFailedDelete", message);
  }

  void reportKept(Volume volume) {
    emitEvent(
        volume,
        "VolumeKept",
        "its claim was already being deleted when it was bound, and the volume was not created for that claim: the storage is kept. To make the volume available remove its claimRef; to delete the storage set its annotation %s to \"%s\""
            .formatted(VolumeRules.TAKEN_BY, VolumeRules.DESTROY));
  }

  void reportNeverBound(Volume volume) {
    emitEvent(
        volume,
        "VolumeKept",
        "no record shows that the volume was ever Bound in this cluster, and its claim does not exist: it may be restored, so the storage is kept. Remove the uid from its claimRef to bind it to a claim of that name, or the claimRef to make it available. To delete its storage set its annotation %s to \"%s\""
            .formatted(VolumeOrigin.NEVER_BOUND, VolumeOrigin.DESTROY));
  }

  void reportTwin(Volume volume, Volume twin) {
    reportFailedDeletion(
        volume,
        "volume %s represents the same storage, which stays while both exist: set the reclaim policy of one of the two to Retain, then delete that PersistentVolume"
            .formatted(twin.meta().name()));
  }

  void reportFreedTooLate(Volume volume) {
    emitEvent(
        volume,
        "VolumeKept",
        "the claimRef was removed while the volume was being deleted: the storage is kept, and no claim can bind to this object. Set its reclaim policy to Retain, which lets the API server delete the object, and create another PersistentVolume for the same storage");
  }

  void reportCondemned(Volume volume, String message) {
    emitEvent(volume, ClusterEvent.Type.NORMAL, "VolumeCondemned", message);
  }

  void reportUnreadableDelay(Volume volume, String message) {
    emitEvent(volume, "VolumeKept", message);
  }

  void reportHeldDeletion(Volume volume, String message) {
    emitEvent(volume, "DeletionsHeld", message);
  }

  private void emitEvent(Volume volume, String reason, String message) {
    emitEvent(volume, ClusterEvent.Type.WARNING, reason, message);
  }

  private void emitEvent(Volume volume, ClusterEvent.Type type, String reason, String message) {
    events.emit(
        new ClusterEvent(Kind.VOLUME, volume.meta(), type, reason, "Deleting", message, reporter));
  }

  private void emitEvent(Claim claim, ClusterEvent.Type type, String reason, String message) {
    events.emit(
        new ClusterEvent(
            Kind.CLAIM, claim.meta(), type, reason, "Provisioning", message, reporter));
  }
}
