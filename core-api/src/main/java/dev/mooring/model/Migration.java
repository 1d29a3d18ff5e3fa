package dev.mooring.model;

import java.util.Map;

/**
 * The in-tree plugins whose work CSI drivers do now, in every version of Kubernetes that we
 * support.
 */
public final class Migration {
  /**
   * The annotation of volumes and claims that names the driver which does an in-tree plugin's work.
   */
  public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  /** The annotation of claims that names who grows their volume. */
  public static final String RESIZER = "volume.kubernetes.io/storage-resizer";

  private static final Map<String, String> BY_PLUGIN =
      Map.of(
          "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
          "kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
          "kubernetes.io/cinder", "cinder.csi.openstack.org",
          "kubernetes.io/azure-disk", "disk.csi.azure.com",
          "kubernetes.io/azure-file", "file.csi.azure.com",
          "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com",
          "kubernetes.io/portworx-volume", "pxd.portworx.com");

  private static final Map<String, String> PLUGIN_BY_SOURCE =
      Map.of(
          "awsElasticBlockStore", "kubernetes.io/aws-ebs",
          "gcePersistentDisk", "kubernetes.io/gce-pd",
          "cinder", "kubernetes.io/cinder",
          "azureDisk", "kubernetes.io/azure-disk",
          "azureFile", "kubernetes.io/azure-file",
          "vsphereVolume", "kubernetes.io/vsphere-volume",
          "portworxVolume", "kubernetes.io/portworx-volume");

  private Migration() {}

  /** The CSI driver that does an in-tree plugin's work; "" if its work has not moved. */
  public static String driverOf(String plugin) {
    return BY_PLUGIN.getOrDefault(plugin, "");
  }

  /** The in-tree plugin whose work a CSI driver does; "" if it does none's. */
  public static String inTreeOf(String driver) {
    return BY_PLUGIN.entrySet().stream()
        .filter(entry -> entry.getValue().equals(driver))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /** The in-tree plugin that volumes of that source belonged to; "" if that has not moved. */
  public static String pluginOf(VolumeSource source) {
    return PLUGIN_BY_SOURCE.getOrDefault(source.type(), "");
  }
}
