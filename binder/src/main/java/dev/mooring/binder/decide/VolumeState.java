package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/**
 * States of volumes for which no event is emitted; only {@code explain} shows them. Together with
 * {@link Reason} they cover all states of a volume.
 */
public enum VolumeState implements ReasonCode {
  VOLUME_BOUND("the volume is bound to its claim", ""),
  AVAILABLE("the volume is free", ""),
  RESERVED(
      "the volume is reserved for a claim that is not bound to it yet",
      "create that claim so that the volume suits it, or remove the claimRef"),
  RESERVED_UNFIT(
      "the volume is reserved for a claim that it does not suit",
      "create the claim again so that the volume suits it, or remove the claimRef"),
  PHASE_DUE("the controller is about to correct the volume's phase", ""),
  VOLUME_BINDING("the binding with the claim in its claimRef is being completed", ""),
  UNBINDING(
      "the claim in its claimRef is bound to another volume: the claimRef is being removed", ""),
  RETAINED(
      "its claim is gone, and its reclaim policy keeps the volume and its data",
      "save its data, then delete it, or remove its claimRef so that another claim can use it"),
  DELETED_BY_OTHERS(
      "its claim is gone, and the external provisioner or driver has to delete it",
      "if it takes long, see whether that provisioner runs and what it logs"),
  DELETING(
      "its claim is gone, and a plugin is deleting it", "see the volume's events if it takes long"),
  DELETED_UNLESS_HELD(
      "its claim is gone and the PersistentVolume is being deleted, but finalizers hold the object",
      "see who owns the finalizers, and whether the storage still has the volume"),
  FINALIZER_REFUSED(
      "the volume controller must first add its finalizer, and the API server rejects that",
      "remove the finalizers that hold it after the storage has deleted the volume"),
  FINALIZER_STAYS(
      "it is being deleted, and nothing removes the volume controller's finalizer",
      "after the storage has deleted the volume, remove finalizer kubernetes.io/pv-controller manually"),
  RECYCLING("its claim is gone, and it is being scrubbed for other claims", "");

  private final ReasonText wording;

  VolumeState(String meaning, String remedy) {
    this.wording = new ReasonText(meaning, remedy);
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
