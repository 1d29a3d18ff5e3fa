package dev.mooring.model;

/** An object of the cluster. Implementations are immutable records; equality is by content. */
public sealed interface Resource
    permits Volume,
        Claim,
        StorageCapacity,
        StorageClass,
        Node,
        Pod,
        PodMounts,
        Attachment,
        CsiNode,
        CsiDriver,
        AttributesClass,
        Lease,
        PartialObject,
        VolumeSnapshot,
        SnapshotContent,
        SnapshotClass,
        ClaimLabels,
        GroupSnapshot,
        GroupSnapshotContent,
        GroupSnapshotClass,
        ReferenceGrant {
  /** Name, uid, version and what else every object carries. */
  Meta meta();

  /** Namespace and name. */
  default ObjectKey key() {
    return meta().key();
  }
}
