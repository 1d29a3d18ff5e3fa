package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/**
 * How a volume may stand without an event that says so; {@code explain} does. Together with {@link
 * Reason} this is everything that can be said of a volume.
 */
public enum VolumeStanding implements ReasonCode {
  VOLUME_BOUND("the volume has its claim", ""),
  AVAILABLE("the volume is free", ""),
  RESERVED(
      "the volume is kept for a claim, which has not taken it",
      "make that claim so that the volume suits it, or take the claimRef away"),
  RESERVED_UNFIT(
      "the volume is kept for a claim that it does not suit",
      "make the claim anew so that the volume suits it, or take the claimRef away"),
  PHASE_DUE("the volume's phase is about to be put right", ""),
  VOLUME_BINDING("the claim that the volume belongs to is being bound to it", ""),
  UNBINDING("the claim that the volume belongs to has another one: it is set free", ""),
  RETAINED(
      "its claim is gone, and its reclaim policy keeps the volume and its data",
      "save what is on it, then delete it, or take its claimRef away so that others may have it"),
  DELETED_BY_OTHERS(
      "its claim is gone, and the provisioner or driver that made it has to delete it",
      "if it takes long, see whether that provisioner runs and what its log says"),
  DELETING(
      "its claim is gone, and a plugin deletes it", "see the volume's events if it takes long"),
  DELETED_UNLESS_HELD(
      "its claim is gone, and somebody has deleted the PersistentVolume: its finalizers keep that",
      "see whose the finalizers are, and whether what is stored is gone"),
  FINALIZER_REFUSED(
      "the volume controller gives it its finalizer before anything else, and the server refuses",
      "take away the finalizers that hold it, when the storage has deleted it"),
  FINALIZER_STAYS(
      "it is being deleted, and nobody takes the volume controller's finalizer away",
      "when the storage has deleted it, take finalizer kubernetes.io/pv-controller away by hand"),
  RECYCLING("its claim is gone, and it is being emptied for others", "");

  private final Wording wording;

  VolumeStanding(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
