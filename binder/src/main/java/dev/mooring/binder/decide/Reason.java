package dev.mooring.binder.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/**
 * Reasons why claims, volumes and storage classes are in their state: rank, event reason, meaning
 * and remedy. Reasons without an event are shown by {@code explain} only. {@code docs/reasons.md}
 * is generated from it.
 */
public enum Reason implements ReasonCode {
  NO_VOLUME(
      CauseRank.WAITING,
      normal("FailedBinding"),
      "no volume suits the claim, and the claim names no class that could provision one",
      "create a suitable volume, or name a class with a provisioner"),
  VOLUME_MISSING(
      CauseRank.MISCONFIGURED,
      warning("FailedBinding"),
      "the volume that the claim names does not exist",
      "create it, or create the claim again without volumeName"),
  VOLUME_TAKEN(
      CauseRank.MISCONFIGURED,
      warning("FailedBinding"),
      "the volume that the claim names belongs to another claim",
      "delete the other claim, or create this one again with another volumeName"),
  TOO_SMALL(
      CauseRank.MISCONFIGURED,
      warning("VolumeMismatch"),
      "the volume is smaller than the request",
      "request less, or use a larger volume"),
  CLASS_DIFFERS(
      CauseRank.MISCONFIGURED,
      warning("VolumeMismatch"),
      "the storageClassName of the volume differs from the claim's",
      "give both the same storageClassName"),
  ATTRIBUTES_CLASS_DIFFERS(
      CauseRank.MISCONFIGURED,
      warning("VolumeMismatch"),
      "the volumeAttributesClassName of the volume differs from the claim's",
      "give both the same volumeAttributesClassName"),
  VOLUME_MODE_DIFFERS(
      CauseRank.MISCONFIGURED,
      warning("VolumeMismatch"),
      "the volumeMode of the volume differs from the claim's",
      "give both the same volumeMode"),
  ACCESS_MODES_DIFFER(
      CauseRank.MISCONFIGURED,
      warning("VolumeMismatch"),
      "the volume does not offer every access mode that the claim requests",
      "request modes that the volume offers, or use another volume"),
  VOLUME_BEING_DELETED(
      CauseRank.WAITING,
      warning("VolumeMismatch"),
      "the volume is being deleted",
      "wait until it is deleted, or name another volume"),
  NO_LONGER_FITS(
      CauseRank.MISCONFIGURED,
      warning("ClaimLost"),
      "the claim's volume is gone, and the volume that now has its name does not suit the claim",
      "restore the volume as it was, or move the data to a new claim"),
  WRITE_REFUSED(
      CauseRank.FAILING,
      warning("FailedBinding"),
      "the API server rejects every write that would bind the claim",
      "see what rejects it: an admission webhook or policy, a quota, or missing rights"),
  WAITS_FOR_CONSUMER(
      CauseRank.WAITING,
      normal("WaitForFirstConsumer"),
      "the class waits for the first consumer: no pod that uses the claim exists",
      "create the pod; this is not an error"),
  WAITS_FOR_SCHEDULING(
      CauseRank.WAITING,
      normal("WaitForPodScheduled"),
      "the class waits for the first consumer: no pod that uses the claim is scheduled yet",
      "see why the pod is not scheduled (kubectl describe pod)"),
  NODE_GONE(
      CauseRank.WAITING,
      normal("WaitForPodScheduled"),
      "the node that the scheduler selected for the claim is gone; the selection is removed",
      "nothing: the scheduler selects another node; if it does not, see why (kubectl describe pod)"),
  NODE_MISSING(
      CauseRank.WAITING,
      warning("ProvisioningFailed"),
      "the node that the scheduler selected for the claim does not exist",
      "wait until the scheduler selects another node"),
  CLASS_MISSING(
      CauseRank.MISCONFIGURED,
      warning("ProvisioningFailed"),
      "the storage class of the claim does not exist, and no volume with that class name suits",
      "create the class, or create the claim again with an existing class"),
  CLASS_IS_STATIC(
      CauseRank.WAITING,
      normal("FailedBinding"),
      "the class has kubernetes.io/no-provisioner: an administrator creates its volumes, and none suits",
      "create a suitable volume of that class"),
  PROVISIONER_UNKNOWN(
      CauseRank.MISCONFIGURED,
      warning("ProvisioningFailed"),
      "no plugin has the name in the class's provisioner field",
      "put the plugin's jar into the plugin directory, or correct the class"),
  PROVISIONING_OFF(
      CauseRank.MISCONFIGURED,
      normal("FailedBinding"),
      "dynamic provisioning is disabled, and no volume suits",
      "create a suitable volume, or start with --enable-dynamic-provisioning=true"),
  DATA_SOURCE_UNSUPPORTED(
      CauseRank.MISCONFIGURED,
      warning("ProvisioningFailed"),
      "the claim has a dataSource, which only CSI drivers support",
      "use a class of a CSI driver, or remove dataSource"),
  EXTERNAL_PROVISIONER(
      CauseRank.WAITING,
      normal("ExternalProvisioning"),
      "a provisioner in another process creates the volume",
      "if it takes long, see whether the provisioner runs and what it logs"),
  PLUGIN_REFUSED(
      CauseRank.MISCONFIGURED,
      warning("ProvisioningFailed"),
      "the plugin rejects the claim or its class",
      "change what the plugin's message names in the claim or its class"),
  PLUGIN_FAILED(
      CauseRank.FAILING,
      warning("ProvisioningFailed"),
      "the plugin failed to create the volume; the binder retries",
      "see the log of the storage; nothing is necessary if the cause is temporary"),
  VOLUME_NAME_TAKEN(
      CauseRank.MISCONFIGURED,
      warning("ProvisioningFailed"),
      "another PersistentVolume has the name that this claim's volume would have",
      "see which claim it belongs to: set its claimRef to this claim, or delete it, or create this claim again"),
  VOLUME_NOT_SAVED(
      CauseRank.FAILING,
      warning("ProvisioningFailed"),
      "a volume was created but its PersistentVolume could not be saved; the volume is deleted again",
      "see why the API server rejects it (quota, admission, permissions)"),
  CLEAN_UP_FAILED(
      CauseRank.FAILING,
      warning("ProvisioningCleanupFailed"),
      "the binder could not delete a volume whose PersistentVolume could not be saved",
      "delete it manually in the storage"),
  REFERENCE_LOST(
      CauseRank.MISCONFIGURED,
      warning("ClaimLost"),
      "the claim was bound but names no volume now",
      "set volumeName to its volume, or create the claim again"),
  VOLUME_LOST(
      CauseRank.MISCONFIGURED,
      warning("ClaimLost"),
      "the volume of a bound claim is gone",
      "restore the PersistentVolume object, or create the claim again"),
  MISBOUND(
      CauseRank.MISCONFIGURED,
      warning("ClaimMisbound"),
      "the volume belongs to another claim, although this claim is marked as bound to it",
      "create this claim again"),
  CLAIM_UID_DIFFERS(
      CauseRank.MISCONFIGURED,
      warning("ClaimMisbound"),
      "the claimRef of the volume names the claim, but not its uid: the claim or the volume was restored or created again",
      "set claimRef.uid of the volume to the uid of the claim, or remove the claimRef; for a new, empty volume create the claim again without volumeName"),
  NO_DELETER(
      CauseRank.MISCONFIGURED,
      warning("VolumeFailedDelete"),
      "no plugin can delete a volume of this type",
      "add the plugin, or set the reclaim policy to Retain and delete the volume manually"),
  DELETE_FAILED(
      CauseRank.FAILING,
      warning("VolumeFailedDelete"),
      "the plugin could not delete the volume; the binder retries",
      "see the log of the storage"),
  DELETE_WAITS(
      CauseRank.WAITING,
      normal("VolumeDelete"),
      "the storage reports that the volume is still in use",
      "nothing: the binder retries"),
  DELETIONS_HELD(
      CauseRank.MISCONFIGURED,
      warning("VolumeDelete"),
      "the circuit breaker stopped all deletions, because an unusual number of volumes would be deleted",
      "check that these volumes should be deleted, then resume (docs/operations.md)"),
  NEVER_BOUND(
      CauseRank.MISCONFIGURED,
      warning("VolumeKept"),
      "the claim of the volume does not exist or has another volume, and the volume is not Bound: it may contain data of an earlier use, so nothing is destroyed",
      "remove the uid from its claimRef to bind it to a claim of that name, or the claimRef to make it available; set annotation mooring.dev/never-bound=destroy to destroy its storage"),
  TWIN_EXISTS(
      CauseRank.MISCONFIGURED,
      warning("VolumeFailedDelete"),
      "another PersistentVolume refers to the same storage, which is neither deleted nor scrubbed while both exist",
      "set the reclaim policy of one of the two to Retain, then delete that PersistentVolume"),
  CONDEMNED(
      CauseRank.WAITING,
      normal("VolumeCondemned"),
      "its claim is gone, and its storage is destroyed at the deadline",
      "to restore the claim with its data, run 'mooring undo pv/NAME' before the deadline"),
  DELAY_UNREADABLE(
      CauseRank.MISCONFIGURED,
      warning("VolumeKept"),
      "an annotation about the delay of the deletion cannot be read: nothing is destroyed",
      "correct or remove the annotation of the volume or of its StorageClass"),
  DELETION_INTERRUPTED(
      CauseRank.MISCONFIGURED,
      warning("VolumeKept"),
      "the volume was freed while a plugin deleted it, and the outcome is unknown: no claim gets it, and nothing more is destroyed",
      "if its data still exists, remove status.reason (kubectl patch pv NAME --subresource=status --type=merge -p '{\"status\":{\"reason\":null}}'); else delete the PersistentVolume"),
  RECYCLE_WAITS(
      CauseRank.WAITING,
      normal("VolumeFailedRecycle"),
      "the claim is gone, but pods still use its volume",
      "delete the pods, or wait until they end"),
  NO_RECYCLER(
      CauseRank.MISCONFIGURED,
      warning("VolumeFailedRecycle"),
      "only hostPath and NFS volumes can be recycled",
      "set the reclaim policy to Retain or Delete"),
  RECYCLE_FAILED(
      CauseRank.FAILING,
      warning("VolumeFailedRecycle"),
      "the recycler pod failed; the binder retries",
      "see the image and the node of the pod, or set the reclaim policy to Retain"),
  POLICY_UNKNOWN(
      CauseRank.MISCONFIGURED,
      warning("VolumeUnknownReclaimPolicy"),
      "the reclaim policy is unknown",
      "set it to Retain or Delete"),
  /** No reason: nothing is reported. */
  SILENT(CauseRank.FINE, "", ""),

  // of claims; OBJECTS_UNREADABLE also of volumes
  BEING_DELETED(CauseRank.WAITING, "the claim is being deleted: it gets no volume", ""),
  BOUND(CauseRank.FINE, "the claim has its volume", ""),
  BINDING(CauseRank.WORKING, "a suitable volume is being bound to the claim", ""),
  TAKES_DEFAULT_CLASS(CauseRank.WORKING, "the claim names no class and gets the default class", ""),
  PROVISIONING(
      CauseRank.WORKING,
      "a plugin is creating the volume",
      "if it takes long, see what the volume controller logs about the plugin"),
  PROVISIONED_UNFIT(
      CauseRank.MISCONFIGURED,
      "the volume that was provisioned for the claim does not suit it",
      "create the claim again so that such a volume suits it"),
  NODE_WITHOUT_DRIVER(
      CauseRank.WAITING,
      "the CSI driver of the class does not run on the node that the scheduler selected for the claim",
      "install the driver on the node, or keep the claim's pod away from the node (node selector, taint)"),
  VOLUME_BEING_RECLAIMED(
      CauseRank.WAITING,
      "the volume that suits the claim is still being reclaimed from an earlier claim",
      "wait until it is scrubbed, or remove the old claim's uid from its claimRef"),
  OBJECTS_UNREADABLE(
      CauseRank.UNKNOWN,
      "objects that the answer depends on could not be read",
      "repeat the command with the right to get and list these objects"),

  // of volumes
  VOLUME_BOUND(CauseRank.FINE, "the volume is bound to its claim", ""),
  AVAILABLE(CauseRank.FINE, "the volume is free", ""),
  RESERVED(
      CauseRank.WAITING,
      "the volume is reserved for a claim that is not bound to it yet",
      "create that claim so that the volume suits it, or remove the claimRef"),
  RESERVED_UNFIT(
      CauseRank.MISCONFIGURED,
      "the volume is reserved for a claim that it does not suit",
      "create the claim again so that the volume suits it, or remove the claimRef"),
  PHASE_DUE(CauseRank.WORKING, "the controller is about to correct the volume's phase", ""),
  VOLUME_BINDING(
      CauseRank.WORKING, "the binding with the claim in its claimRef is being completed", ""),
  UNBINDING(
      CauseRank.WORKING,
      "the claim in its claimRef is bound to another volume: the claimRef is being removed",
      ""),
  RETAINED(
      CauseRank.WAITING,
      "its claim is gone, and its reclaim policy keeps the volume and its data",
      "save its data, then delete it, or remove its claimRef so that another claim can use it"),
  DELETED_BY_OTHERS(
      CauseRank.WAITING,
      "no claim needs it, and the external provisioner or driver has to delete it",
      "if it takes long, see whether that provisioner runs and what it logs"),
  DELETING(
      CauseRank.WORKING,
      "no claim needs it, and a plugin is deleting it",
      "see the volume's events if it takes long"),
  DELETED_UNLESS_HELD(
      CauseRank.WAITING,
      "its claim is gone and the PersistentVolume is being deleted, but finalizers keep the object",
      "see who owns the finalizers, and whether the storage still has the volume"),
  FINALIZER_REFUSED(
      CauseRank.FAILING,
      "the volume controller must first add its finalizer, and the API server rejects that",
      "remove the finalizers that keep it after the storage has deleted the volume"),
  FINALIZER_STAYS(
      CauseRank.MISCONFIGURED,
      "it is being deleted, and nothing removes the volume controller's finalizer",
      "after the storage has deleted the volume, remove finalizer kubernetes.io/pv-controller manually"),
  RECYCLING(CauseRank.WORKING, "its claim is gone, and it is being scrubbed for other claims", ""),

  // of storage classes
  CLASS_SERVED(CauseRank.FINE, "the provisioner of the class runs", ""),
  CREATED_MANUALLY(
      CauseRank.FINE,
      "an administrator creates the volumes of the class; none are provisioned",
      ""),
  PROVISIONER_STOPPED(
      CauseRank.FAILING,
      "the provisioner of the class no longer holds its lease",
      "see why no replica of the provisioner runs, or why none becomes leader"),
  PROVISIONER_NOT_SEEN(
      CauseRank.WAITING,
      "nothing in the cluster shows that the provisioner of the class runs: no CSIDriver, no"
          + " node, no lease",
      "see whether it runs; if not, install it or correct the class"),
  DRIVER_ON_NO_NODE(
      CauseRank.MISCONFIGURED,
      "the driver of the class is installed, but runs on no node",
      "see why the driver's pods do not run on the nodes (its DaemonSet)"),
  CAPACITY_UNPUBLISHED(
      CauseRank.WAITING,
      "the driver of the class publishes storage capacity, but no CSIStorageCapacity object exists: the"
          + " scheduler finds no node",
      "see whether its provisioner runs with --enable-capacity, and what it logs"),
  CLASS_WITHOUT_ROOM(
      CauseRank.WAITING,
      "the driver of the class reports no free capacity anywhere",
      "free space in the storage, or use another class");

  private record Event(String reason, boolean isWarning) {}

  private final CauseRank rank;
  private final Event event;
  private final ReasonText wording;

  Reason(CauseRank rank, Event event, String meaning, String remedy) {
    this.rank = rank;
    this.event = event;
    this.wording = new ReasonText(meaning, remedy);
  }

  Reason(CauseRank rank, String meaning, String remedy) {
    this(rank, normal(""), meaning, remedy);
  }

  private static Event normal(String reason) {
    return new Event(reason, false);
  }

  private static Event warning(String reason) {
    return new Event(reason, true);
  }

  public CauseRank rank() {
    return rank;
  }

  /** Returns the reason of events; "" if no event is emitted. */
  public String event() {
    return event.reason();
  }

  public boolean hasEvent() {
    return !event.reason().isEmpty();
  }

  public boolean listsNearestVolumes() {
    return switch (this) {
      case NO_VOLUME, CLASS_MISSING, CLASS_IS_STATIC, PROVISIONER_UNKNOWN, PROVISIONING_OFF -> true;
      default -> false;
    };
  }

  public boolean isWarning() {
    return event.isWarning();
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
