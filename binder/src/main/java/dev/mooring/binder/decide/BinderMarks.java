package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.ProtectionRule;
import dev.mooring.storage.decide.VolumeOrigin;

/**
 * Annotations and finalizers that the binder reads and writes. The names are Kubernetes'
 * (pkg/controller/volume/persistentvolume).
 */
public final class BinderMarks {
  public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /**
   * Annotation of either side: the controller, not the user, wrote the reference to the other side.
   */
  public static final String BOUND_BY_CONTROLLER = VolumeOrigin.BOUND_BY_CONTROLLER;

  public static final String PROVISIONED_BY = VolumeOrigin.PROVISIONED_BY;

  static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

  public static final String BETA_STORAGE_PROVISIONER =
      "volume.beta.kubernetes.io/storage-provisioner";

  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

  /** Finalizer of volumes that an in-tree plugin must delete. */
  public static final String IN_TREE_FINALIZER = "kubernetes.io/pv-controller";

  public static final String PROTECTION = ProtectionRule.FINALIZER;

  public static final String EXTERNAL_FINALIZER =
      "external-provisioner.volume.kubernetes.io/finalizer";

  public static final String IN_TREE_PREFIX = "kubernetes.io/";

  /**
   * Value of a volume's {@code status.reason} while a plugin may be destroying its storage. The
   * binder writes it to the volume version that it decided on, before it calls the plugin. The
   * binder removes it when the call has certainly failed, and when finalizers of others keep the
   * object of a destroyed volume.
   */
  public static final String BEING_DESTROYED = "BeingDestroyed";

  private BinderMarks() {}

  public static boolean isPossiblyBeingDestroyed(Volume volume) {
    return volume.status().reason().equals(BEING_DESTROYED);
  }

  /**
   * Returns whether a plugin has destroyed the storage, and only finalizers of other components
   * keep the object. The binder removes its own finalizer after the plugin has succeeded.
   */
  static boolean isDestroyed(Volume volume) {
    return isPossiblyBeingDestroyed(volume)
        && volume.meta().isBeingDeleted()
        && volume.meta().annotation(PROVISIONED_BY).startsWith(IN_TREE_PREFIX)
        && !volume.finalizers().contains(IN_TREE_FINALIZER);
  }

  public static boolean isReleasedOrFailed(VolumePhase phase) {
    return phase == VolumePhase.RELEASED || phase == VolumePhase.FAILED;
  }
}
