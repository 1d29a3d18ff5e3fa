package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.VolumeOrigin;

/** Tells claims and volumes what is done for them, in the protocol's words. Thread-safe. */
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

  /** The volume is not made, or not known to be; a deleted claim stays for that. */
  void problem(Claim claim, String why) {
    if (claim.meta().isBeingDeleted()) {
      mayBeThere(claim, why);
    } else {
      failed(claim, why);
    }
  }

  /** Another PersistentVolume has the name, and the storage was not asked. */
  public void nameInUse(Claim claim, String note) {
    failed(
        claim,
        note
            + "; nothing is provisioned for this claim. Delete that PersistentVolume, or create the"
            + " claim again, which gives its volume another name");
  }

  /** The storage has the claim's volume, and another PersistentVolume has its name. */
  void nameTaken(Claim claim, String note) {
    problem(
        claim,
        note
            + "; delete that PersistentVolume, or set its claimRef to this claim. The storage keeps"
            + " the volume that it made for the claim");
  }

  /** The claim is deleted, but stays. */
  void mayBeThere(Claim claim, String why) {
    failed(
        claim,
        why
            + "; the claim stays until the storage says whether a volume was made for it. To let it go all the same, and perhaps leave a volume behind, remove its finalizer "
            + VolumeService.BEING_MADE);
  }

  void infeasible(Claim claim, String why) {
    failed(
        claim, "Volume provisioning failed with infeasible error. Retries will be delayed. " + why);
  }

  void notSaved(Claim claim, String why) {
    failed(
        claim,
        "Error creating provisioned PV object for claim "
            + claim.key()
            + ": "
            + why
            + ". Deleting the volume.");
  }

  void notCleaned(Claim claim, String why) {
    tell(
        claim,
        ClusterEvent.Type.WARNING,
        "ProvisioningCleanupFailed",
        "Error cleaning provisioned volume for claim "
            + claim.key()
            + ": "
            + why
            + ". Please delete manually.");
  }

  void notDestroyed(Volume volume, String why) {
    tell(volume, "VolumeFailedDelete", why);
  }

  /** Its claim was being deleted before it got it. */
  void kept(Volume volume) {
    tell(
        volume,
        "VolumeKept",
        "the claim that had it was being deleted when it was bound to it, and it was not made for that claim: nothing is destroyed. To give it to others remove its claimRef; to have it destroyed set its annotation "
            + VolumeRules.TAKEN_BY
            + " to \""
            + VolumeRules.DESTROY
            + "\"");
  }

  /** It was never bound to its claim, which does not exist. */
  void keptNeverBound(Volume volume) {
    tell(
        volume,
        "VolumeKept",
        "no record shows that the volume was ever Bound in this cluster, and its claim does not exist: it may be restored, so nothing is destroyed. Remove the uid from its claimRef to bind it to a claim of that name, or the claimRef to make it available. To destroy its storage set its annotation "
            + VolumeOrigin.NEVER_BOUND
            + " to \""
            + VolumeOrigin.DESTROY
            + "\"");
  }

  /** Another volume stands for the same storage. */
  void hasTwin(Volume volume, Volume other) {
    notDestroyed(
        volume,
        "volume "
            + other.meta().name()
            + " stands for the same storage, which stays while both exist: set the reclaim policy of one of the two to Retain, then delete that PersistentVolume");
  }

  /** It was taken from its claim when its object was being deleted already. */
  void freedTooLate(Volume volume) {
    tell(
        volume,
        "VolumeKept",
        "the volume was taken from its claim while it was being deleted: nothing is destroyed, and no claim can bind to this object. Set its reclaim policy to Retain, which lets the object go, and create another PersistentVolume for the same storage");
  }

  /** The circuit breaker holds it back. */
  void held(Volume volume, String why) {
    tell(volume, "DeletionsHeld", why);
  }

  private void tell(Volume volume, String reason, String why) {
    events.tell(
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
    events.tell(
        new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Provisioning", note, reporter));
  }
}
