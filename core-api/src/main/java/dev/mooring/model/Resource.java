package dev.mooring.model;

/** An object of the cluster. Implementations are immutable records; equality compares contents. */
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
        ReferenceGrant,
        VolumePopulator {
  Meta meta();

  default ObjectKey key() {
    return meta().key();
  }

  /**
   * Returns whether the later object has another uid: the watch missed that this object was deleted
   * and created again under the same key.
   */
  default boolean isReplacedBy(Resource later) {
    return !meta().uid().equals(later.meta().uid());
  }
}
