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

  void begins(Claim claim) {
    tell(
        claim,
        ClusterEvent.Type.NORMAL,
        "Provisioning",
        "External provisioner is provisioning volume for claim \"" + claim.key() + "\"");
  }

  void succeeded(Claim claim, String volume) {
    tell(
        claim,
        ClusterEvent.Type.NORMAL,
        "ProvisioningSucceeded",
        "Successfully provisioned volume " + volume);
  }

  void failed(Claim claim, String why) {
    tell(claim, ClusterEvent.Type.WARNING, FAILED, why);
  }

  void problem(Claim claim, String why) {
    if (claim.meta().isBeingDeleted()) {
      mayBeThere(claim, why);
    } else {
      failed(claim, why);
    }
  }

  public void nameInUse(Claim claim, String note) {
    failed(
        claim,
        "%s; nothing is provisioned for this claim. Delete that PersistentVolume, or create the claim again, which gives its volume another name"
            .formatted(note));
  }

  void nameTaken(Claim claim, String note) {
    problem(
        claim,
        "%s; delete that PersistentVolume, or set its claimRef to this claim. The storage keeps the volume that it created for the claim"
            .formatted(note));
  }

  void mayBeThere(Claim claim, String why) {
    failed(
        claim,
        "%s; the claim stays until the storage says whether it created a volume. To remove the claim anyway, and possibly leave a volume behind, remove its finalizer %s"
            .formatted(why, VolumeService.BEING_MADE));
  }

  public void unserved(Claim claim, List<String> provisioners) {
    mayBeThere(
        claim,
        "provisioner %s may have created a volume for this claim, and this process does not serve it: load its plugin or add its driver"
            .formatted(String.join(", ", provisioners)));
  }

  void infeasible(Claim claim, String why) {
    failed(
        claim, "Volume provisioning failed with infeasible error. Retries will be delayed. " + why);
  }

  void notSaved(Claim claim, String why) {
    failed(
        claim,
        "Error creating provisioned PV object for claim %s: %s. Deleting the volume."
            .formatted(claim.key(), why));
  }

  void notCleaned(Claim claim, String why) {
    tell(
        claim,
        ClusterEvent.Type.WARNING,
        "ProvisioningCleanupFailed",
        "Error cleaning provisioned volume for claim %s: %s. Please delete manually."
            .formatted(claim.key(), why));
  }

  void notDestroyed(Volume volume, String why) {
    tell(volume, "VolumeFailedDelete", why);
  }

  void kept(Volume volume) {
    tell(
        volume,
        "VolumeKept",
        "its claim was already being deleted when it was bound, and the volume was not created for that claim: the storage is kept. To make the volume available remove its claimRef; to delete the storage set its annotation %s to \"%s\""
            .formatted(VolumeRules.TAKEN_BY, VolumeRules.DESTROY));
  }

  void keptNeverBound(Volume volume) {
    tell(
        volume,
        "VolumeKept",
        "no record shows that the volume was ever Bound in this cluster, and its claim does not exist: it may be restored, so the storage is kept. Remove the uid from its claimRef to bind it to a claim of that name, or the claimRef to make it available. To delete its storage set its annotation %s to \"%s\""
            .formatted(VolumeOrigin.NEVER_BOUND, VolumeOrigin.DESTROY));
  }

  void hasTwin(Volume volume, Volume other) {
    notDestroyed(
        volume,
        "volume %s represents the same storage, which stays while both exist: set the reclaim policy of one of the two to Retain, then delete that PersistentVolume"
            .formatted(other.meta().name()));
  }

  void freedTooLate(Volume volume) {
    tell(
        volume,
        "VolumeKept",
        "the claimRef was removed while the volume was being deleted: the storage is kept, and no claim can bind to this object. Set its reclaim policy to Retain, which lets the API server delete the object, and create another PersistentVolume for the same storage");
  }

  void held(Volume volume, String why) {
    tell(volume, "DeletionsHeld", why);
  }

  private void tell(Volume volume, String reason, String why) {
    events.emit(
        new ClusterEvent(
            Kind.VOLUME,
            volume.meta(),
            ClusterEvent.Type.WARNING,
            reason,
            "Deleting",
            why,
            reporter));
  }

  private void tell(Claim claim, ClusterEvent.Type type, String reason, String note) {
    events.emit(
        new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Provisioning", note, reporter));
  }
}
