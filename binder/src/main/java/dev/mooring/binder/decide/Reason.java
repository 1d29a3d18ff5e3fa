package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/**
 * The one catalogue of why a claim waits or a volume is not reclaimed: what it means, and what its
 * owner can do. {@code docs/reasons.md} is made from it.
 */
public enum Reason implements ReasonCode {
  NO_VOLUME(
      "FailedBinding",
      false,
      "no volume suits the claim, and it names no class that could make one",
      "create a volume that suits, or name a class that provisions"),
  VOLUME_MISSING(
      "FailedBinding",
      true,
      "the volume that the claim names does not exist",
      "create it, or make the claim anew without volumeName"),
  VOLUME_TAKEN(
      "FailedBinding",
      true,
      "the volume that the claim names belongs to another claim",
      "delete the other claim, or make this one anew with another volumeName"),
  TOO_SMALL(
      "VolumeMismatch",
      true,
      "the volume is smaller than the request",
      "ask for less, or use a larger volume"),
  CLASS_DIFFERS(
      "VolumeMismatch",
      true,
      "the storageClassName of the volume is not the claim's",
      "give both the same storageClassName"),
  ATTRIBUTES_CLASS_DIFFERS(
      "VolumeMismatch",
      true,
      "the volumeAttributesClassName of the volume is not the claim's",
      "give both the same volumeAttributesClassName"),
  VOLUME_MODE_DIFFERS(
      "VolumeMismatch",
      true,
      "one of the two is Block, the other Filesystem",
      "give both the same volumeMode"),
  ACCESS_MODES_DIFFER(
      "VolumeMismatch",
      true,
      "the volume does not offer every access mode that the claim asks for",
      "ask for modes that the volume offers, or use another volume"),
  VOLUME_BEING_DELETED(
      "VolumeMismatch",
      true,
      "the volume is being deleted",
      "wait until it is gone, or name another one"),
  NO_LONGER_FITS(
      "ClaimLost",
      true,
      "the claim's volume is gone, and the one that has its name now does not suit the claim",
      "restore the volume as it was, or move the data to a new claim"),
  WRITE_REFUSED(
      "FailedBinding",
      true,
      "the API server refuses what would bind the claim, each time",
      "see what refuses it: an admission webhook or policy, a quota, or missing rights"),
  WAITS_FOR_CONSUMER(
      "WaitForFirstConsumer",
      false,
      "the class binds when the first pod that uses the claim is scheduled, and there is none",
      "create the pod; nothing is wrong"),
  WAITS_FOR_SCHEDULING(
      "WaitForPodScheduled",
      false,
      "the class binds when the pod is scheduled, and it is not yet",
      "see why the pod is not scheduled (kubectl describe pod)"),
  NODE_GONE(
      "WaitForPodScheduled",
      false,
      "the node that was chosen for the claim is gone, and is forgotten",
      "nothing: the scheduler chooses another one; if it does not, see why (kubectl describe pod)"),
  NODE_MISSING(
      "ProvisioningFailed",
      true,
      "the node that was chosen for the claim does not exist",
      "wait until another one is chosen"),
  CLASS_MISSING(
      "ProvisioningFailed",
      true,
      "the storage class that the claim names does not exist, and no volume of that name suits",
      "create the class, or make the claim anew with one that exists"),
  CLASS_IS_STATIC(
      "FailedBinding",
      false,
      "the class has kubernetes.io/no-provisioner: its volumes are made by hand, and none suits",
      "create a volume of that class that suits"),
  PROVISIONER_UNKNOWN(
      "ProvisioningFailed",
      true,
      "no plugin has the name that the class gives as its provisioner",
      "put the plugin's jar into the plugin directory, or correct the class"),
  PROVISIONING_OFF(
      "FailedBinding",
      false,
      "dynamic provisioning is switched off, and no volume suits",
      "create a volume that suits, or start with --enable-dynamic-provisioning=true"),
  DATA_SOURCE_UNSUPPORTED(
      "ProvisioningFailed",
      true,
      "the claim asks for a copy (dataSource), which only CSI drivers make",
      "use a class of a CSI driver, or leave out dataSource"),
  EXTERNAL_PROVISIONER(
      "ExternalProvisioning",
      false,
      "another process makes the volume",
      "if it takes long, see whether the provisioner runs and what its log says"),
  PLUGIN_REFUSED(
      "ProvisioningFailed",
      true,
      "the plugin does not make such volumes",
      "change what the plugin names in the claim or its class"),
  PLUGIN_FAILED(
      "ProvisioningFailed",
      true,
      "the plugin tried and failed; it is tried again",
      "see the storage's own log; nothing has to be done if it heals"),
  VOLUME_NAME_TAKEN(
      "ProvisioningFailed",
      true,
      "a volume has the name that the claim's would have, and is not the claim's",
      "see whose it is: set its claimRef to the claim, or delete it, or make the claim anew"),
  VOLUME_NOT_SAVED(
      "ProvisioningFailed",
      true,
      "a volume was made but could not be saved in the cluster; it is deleted again",
      "see why the API server refuses it (quota, admission, permissions)"),
  CLEAN_UP_FAILED(
      "ProvisioningCleanupFailed",
      true,
      "a volume that could not be saved could not be deleted either",
      "delete it by hand in the storage"),
  REFERENCE_LOST(
      "ClaimLost",
      true,
      "the claim was bound but names no volume any more",
      "set volumeName to its volume, or make the claim anew"),
  VOLUME_LOST(
      "ClaimLost",
      true,
      "the volume of a bound claim is gone",
      "restore the PersistentVolume object, or make the claim anew"),
  MISBOUND(
      "ClaimMisbound",
      true,
      "the volume belongs to another claim although this one says that it is bound to it",
      "make this claim anew"),
  CLAIM_UID_DIFFERS(
      "ClaimMisbound",
      true,
      "the claimRef of the volume names the claim, but not its uid: the claim or the volume was restored or created again",
      "set claimRef.uid of the volume to the uid of the claim, or remove the claimRef; for a new, empty volume create the claim again without volumeName"),
  NO_DELETER(
      "VolumeFailedDelete",
      true,
      "no plugin can delete such a volume",
      "add the plugin, or set the reclaim policy to Retain and delete by hand"),
  DELETE_FAILED(
      "VolumeFailedDelete",
      true,
      "the plugin could not delete the volume; it is tried again",
      "see the storage's own log"),
  DELETE_WAITS(
      "VolumeDelete",
      false,
      "the storage says that the volume is still in use",
      "nothing: it is tried again"),
  DELETIONS_HELD(
      "VolumeDelete",
      true,
      "an unusual number of volumes would be deleted: the circuit breaker has stopped all deletions",
      "check that they are meant to go, then resume (docs/operations.md)"),
  NEVER_BOUND(
      "VolumeKept",
      true,
      "the claim of the volume does not exist or has another volume, and the volume is not Bound: it may hold data of an earlier use, so nothing is destroyed",
      "remove the uid from its claimRef to bind it to a claim of that name, or the claimRef to make it available; set annotation mooring.dev/never-bound=destroy to destroy its storage"),
  TWIN_EXISTS(
      "VolumeFailedDelete",
      true,
      "another PersistentVolume refers to the same storage, which is neither deleted nor scrubbed while both exist",
      "set the reclaim policy of one of the two to Retain, then delete that PersistentVolume"),
  DELETION_INTERRUPTED(
      "VolumeKept",
      true,
      "a plugin began to delete the volume, and how that ended is unknown: no claim gets it, and nothing more is destroyed",
      "if its data is there, remove status.reason (kubectl patch pv NAME --subresource=status --type=merge -p '{\"status\":{\"reason\":null}}'); else delete the PersistentVolume"),
  RECYCLE_WAITS(
      "VolumeFailedRecycle",
      false,
      "pods still use the volume whose claim is gone",
      "delete the pods, or wait for their end"),
  NO_RECYCLER(
      "VolumeFailedRecycle",
      true,
      "only hostPath and NFS volumes can be recycled",
      "set the reclaim policy to Retain or Delete"),
  RECYCLE_FAILED(
      "VolumeFailedRecycle",
      true,
      "the recycler pod failed; it is tried again",
      "see the pod's image and node, or set the reclaim policy to Retain"),
  POLICY_UNKNOWN(
      "VolumeUnknownReclaimPolicy",
      true,
      "the reclaim policy is none that is known",
      "set it to Retain or Delete"),
  /** Nothing to tell. */
  SILENT("", false, "", "");

  private final String event;
  private final boolean warning;
  private final Wording wording;

  Reason(String event, boolean warning, String meaning, String remedy) {
    this.event = event;
    this.warning = warning;
    this.wording = new Wording(meaning, remedy);
  }

  /** The event's reason, which is Kubernetes'; "" for no event. */
  public String event() {
    return event;
  }

  /** Whether the volumes that came nearest, and what each lacks, belong to the explanation. */
  public boolean namesNearest() {
    return switch (this) {
      case NO_VOLUME, CLASS_MISSING, CLASS_IS_STATIC, PROVISIONER_UNKNOWN, PROVISIONING_OFF -> true;
      default -> false;
    };
  }

  /** Whether the event is a warning. */
  public boolean warning() {
    return warning;
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
