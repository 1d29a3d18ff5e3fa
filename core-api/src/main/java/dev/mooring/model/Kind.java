package dev.mooring.model;

import java.util.List;

/**
 * A kind of object that Mooring reads: its address in the API and its record type.
 *
 * @param <T> record type
 * @param group API group; "" for core
 * @param version API version within the group
 * @param plural resource name in URLs
 * @param kind name of the kind in objects
 * @param namespaced whether objects have a namespace
 * @param type class of the record
 */
public record Kind<T extends Resource>(
    String group, String version, String plural, String kind, boolean namespaced, Class<T> type) {
  public static final Kind<Volume> VOLUME =
      new Kind<>("", "v1", "persistentvolumes", "PersistentVolume", false, Volume.class);
  public static final Kind<Claim> CLAIM =
      new Kind<>("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, Claim.class);

  public static final Kind<ClaimLabels> CLAIM_LABELS =
      new Kind<>(
          "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, ClaimLabels.class);

  public static final Kind<Pod> POD = new Kind<>("", "v1", "pods", "Pod", true, Pod.class);

  public static final Kind<PodMounts> POD_MOUNTS =
      new Kind<>("", "v1", "pods", "Pod", true, PodMounts.class);

  public static final Kind<Node> NODE = new Kind<>("", "v1", "nodes", "Node", false, Node.class);
  public static final Kind<StorageClass> STORAGE_CLASS =
      new Kind<>(
          "storage.k8s.io", "v1", "storageclasses", "StorageClass", false, StorageClass.class);
  public static final Kind<Attachment> ATTACHMENT =
      new Kind<>(
          "storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", false, Attachment.class);
  public static final Kind<CsiNode> CSI_NODE =
      new Kind<>("storage.k8s.io", "v1", "csinodes", "CSINode", false, CsiNode.class);
  public static final Kind<CsiDriver> CSI_DRIVER =
      new Kind<>("storage.k8s.io", "v1", "csidrivers", "CSIDriver", false, CsiDriver.class);
  public static final Kind<AttributesClass> ATTRIBUTES_CLASS =
      new Kind<>(
          "storage.k8s.io",
          "v1",
          "volumeattributesclasses",
          "VolumeAttributesClass",
          false,
          AttributesClass.class);
  public static final Kind<StorageCapacity> STORAGE_CAPACITY =
      new Kind<>(
          "storage.k8s.io",
          "v1",
          "csistoragecapacities",
          "CSIStorageCapacity",
          true,
          StorageCapacity.class);
  public static final Kind<Lease> LEASE =
      new Kind<>("coordination.k8s.io", "v1", "leases", "Lease", true, Lease.class);

  /**
   * Secrets are read by name only, as raw objects, and never listed: no record stores credentials.
   */
  public static final Kind<Resource> SECRET =
      new Kind<>("", "v1", "secrets", "Secret", true, Resource.class);

  /** Custom resources, installed separately. A cluster has all three or none. */
  public static final Kind<VolumeSnapshot> SNAPSHOT =
      new Kind<>(
          "snapshot.storage.k8s.io",
          "v1",
          "volumesnapshots",
          "VolumeSnapshot",
          true,
          VolumeSnapshot.class);

  public static final Kind<SnapshotContent> SNAPSHOT_CONTENT =
      new Kind<>(
          "snapshot.storage.k8s.io",
          "v1",
          "volumesnapshotcontents",
          "VolumeSnapshotContent",
          false,
          SnapshotContent.class);
  public static final Kind<SnapshotClass> SNAPSHOT_CLASS =
      new Kind<>(
          "snapshot.storage.k8s.io",
          "v1",
          "volumesnapshotclasses",
          "VolumeSnapshotClass",
          false,
          SnapshotClass.class);

  /** Custom resources, installed independently of the other three. */
  public static final Kind<GroupSnapshot> GROUP_SNAPSHOT =
      new Kind<>(
          "groupsnapshot.storage.k8s.io",
          "v1",
          "volumegroupsnapshots",
          "VolumeGroupSnapshot",
          true,
          GroupSnapshot.class);

  public static final Kind<GroupSnapshotContent> GROUP_SNAPSHOT_CONTENT =
      new Kind<>(
          "groupsnapshot.storage.k8s.io",
          "v1",
          "volumegroupsnapshotcontents",
          "VolumeGroupSnapshotContent",
          false,
          GroupSnapshotContent.class);
  public static final Kind<GroupSnapshotClass> GROUP_SNAPSHOT_CLASS =
      new Kind<>(
          "groupsnapshot.storage.k8s.io",
          "v1",
          "volumegroupsnapshotclasses",
          "VolumeGroupSnapshotClass",
          false,
          GroupSnapshotClass.class);

  public static final List<Kind<?>> ALL =
      List.of(
          VOLUME,
          CLAIM,
          POD,
          NODE,
          STORAGE_CLASS,
          ATTACHMENT,
          CSI_NODE,
          CSI_DRIVER,
          ATTRIBUTES_CLASS,
          STORAGE_CAPACITY,
          LEASE);

  /** Kinds of snapshots. They are custom resources, so that a cluster may lack them. */
  public static final List<Kind<?>> SNAPSHOT_KINDS =
      List.of(
          SNAPSHOT,
          SNAPSHOT_CONTENT,
          SNAPSHOT_CLASS,
          GROUP_SNAPSHOT,
          GROUP_SNAPSHOT_CONTENT,
          GROUP_SNAPSHOT_CLASS);

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  @Override
  public String toString() {
    return kind;
  }
}
