package dev.mooring.model;

import java.util.Map;

/**
 * In-tree volume plugins that CSI drivers have replaced in all supported versions of Kubernetes.
 */
public final class Migration {
  /** Annotation of volumes and claims with the CSI driver that replaces their in-tree plugin. */
  public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  /** Annotation of claims with the component that expands the volume. */
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

  /** Returns the CSI driver that replaces an in-tree plugin; "" if the plugin is not migrated. */
  public static String driverOf(String plugin) {
    return BY_PLUGIN.getOrDefault(plugin, "");
  }

  /** Returns the in-tree plugin that a CSI driver replaces; "" if none. */
  public static String inTreeOf(String driver) {
    return BY_PLUGIN.entrySet().stream()
        .filter(entry -> entry.getValue().equals(driver))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /** Returns the migrated in-tree plugin of a volume source; "" if the source is not migrated. */
  public static String pluginOf(VolumeSource source) {
    return PLUGIN_BY_SOURCE.getOrDefault(source.type(), "");
  }
}
