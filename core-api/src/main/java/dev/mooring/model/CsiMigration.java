package dev.mooring.model;

import java.util.Map;

/**
 * In-tree volume plugins that CSI drivers have replaced in all supported versions of Kubernetes.
 */
public final class CsiMigration {
  public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

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

  private CsiMigration() {}

  public static String driverOf(String plugin) {
    return BY_PLUGIN.getOrDefault(plugin, "");
  }

  public static String inTreeOf(String driver) {
    return BY_PLUGIN.entrySet().stream()
        .filter(entry -> entry.getValue().equals(driver))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  public static String pluginOf(VolumeSource source) {
    return PLUGIN_BY_SOURCE.getOrDefault(source.type(), "");
  }
}
