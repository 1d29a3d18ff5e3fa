package dev.mooring.binder.decide;

import dev.mooring.model.Migration;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeOrigin;

/**
 * Annotations and finalizers that the binder reads and writes; Kubernetes' own names
 * (pkg/controller/volume/persistentvolume).
 */
public final class Marks {
  /** On a claim: binding is complete. */
  public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /** On either side: the controller, not the user, made this side point at the other. */
  public static final String BOUND_BY_CONTROLLER = VolumeOrigin.BOUND_BY_CONTROLLER;

  /** On a volume: who provisioned it. */
  public static final String PROVISIONED_BY = VolumeOrigin.PROVISIONED_BY;

  /** A class's provisioner that says that its volumes are made by hand. */
  static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  /** On a claim: who is to provision a volume. */
  public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

  /** The same, as it was called before. */
  public static final String BETA_STORAGE_PROVISIONER =
      "volume.beta.kubernetes.io/storage-provisioner";

  /** On a claim: the node that the scheduler chose for its pod. */
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  /** On a volume: what its capacity was before it began to grow. */
  public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

  /** Finalizer of volumes that an in-tree plugin must delete. */
  public static final String IN_TREE_FINALIZER = "kubernetes.io/pv-controller";

  /** Finalizer of volumes, which goes when they are not Bound. */
  public static final String PROTECTION = "kubernetes.io/pv-protection";

  /** Finalizer of volumes that an external provisioner must delete. */
  public static final String EXTERNAL_FINALIZER =
      "external-provisioner.volume.kubernetes.io/finalizer";

  /** Prefix of in-tree plugins' names. */
  public static final String IN_TREE = "kubernetes.io/";

  /**
   * A volume's {@code status.reason} while a plugin may be destroying its storage. It is written on
   * the judged version before the plugin is called, and goes when the plugin says that it failed.
   */
  public static final String BEING_DESTROYED = "BeingDestroyed";

  private Marks() {}

  /** Whether a plugin may have destroyed the volume's storage, or may still be at it. */
  public static boolean mayBeDestroyed(Volume volume) {
    return volume.status().reason().equals(BEING_DESTROYED);
  }

  /** Whether a volume of that phase may still be being deleted or emptied for whoever had it. */
  public static boolean isReclaimed(VolumePhase phase) {
    return phase == VolumePhase.RELEASED || phase == VolumePhase.FAILED;
  }

  /** The CSI driver that does an in-tree plugin's work now; "" if its work has not moved. */
  public static String migrated(String provisioner) {
    return Migration.driverOf(provisioner);
  }
}
