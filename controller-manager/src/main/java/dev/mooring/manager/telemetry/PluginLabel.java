package dev.mooring.manager.telemetry;

import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;

/** Value of the label {@code plugin_name} of volumes. */
enum PluginLabel {
  /** Names CSI drivers, as Kubernetes 1.38 does. */
  WITH_DRIVERS,

  /** CSI volumes have no name, as up to Kubernetes 1.37. */
  WITHOUT_DRIVERS;

  private static final String NONE = "N/A";

  static PluginLabel of(Compat compat) {
    return switch (compat) {
      case MOORING -> WITH_DRIVERS;
      case KUBERNETES -> WITHOUT_DRIVERS;
    };
  }

  /** Returns the name of kube-controller-manager's plugin. */
  String nameOf(VolumeSource source) {
    return switch (source.type()) {
      case "hostPath" -> "kubernetes.io/host-path";
      case "nfs" -> "kubernetes.io/nfs";
      case "csi" -> this == WITH_DRIVERS ? "kubernetes.io/csi:" + source.attribute("driver") : NONE;
      default -> NONE;
    };
  }
}
