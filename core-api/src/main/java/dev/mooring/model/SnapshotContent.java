package dev.mooring.model;

import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Optional;

/**
 * A VolumeSnapshotContent (snapshot.storage.k8s.io/v1): an existing or requested snapshot in a
 * driver.
 *
 * @param meta name, uid, version, finalizers, and the annotations defined here
 * @param snapshot spec.volumeSnapshotRef: the snapshot that it belongs to
 * @param policy whether the driver's snapshot is deleted with the content; {@link
 *     ReclaimPolicy#UNKNOWN} if the value is neither Delete nor Retain
 * @param driver name of the CSI driver
 * @param className spec.volumeSnapshotClassName; "" if none
 * @param source source volume or existing snapshot
 * @param mode spec.sourceVolumeMode; empty if absent
 * @param status status reported by the driver
 */
public record SnapshotContent(
    Meta meta,
    Ref snapshot,
    ReclaimPolicy policy,
    String driver,
    String className,
    Source source,
    Optional<VolumeMode> mode,
    Status status)
    implements Resource {
  public static final String BOUND_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";

  /** Annotation of a content whose snapshot is being deleted; the policy then applies. */
  public static final String BEING_DELETED =
      "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted";

  /** Annotation of a content for which the driver may have started to create a snapshot. */
  public static final String BEING_CREATED =
      "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

  public static final String SECRET_NAME = "snapshot.storage.kubernetes.io/deletion-secret-name";

  public static final String SECRET_NAMESPACE =
      "snapshot.storage.kubernetes.io/deletion-secret-namespace";

  /** Label with the node whose instance of the driver makes the snapshot. */
  public static final String MANAGED_BY = "snapshot.storage.kubernetes.io/managed-by";

  public static final String GROUP_MEMBER =
      "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle";

  /**
   * Reference to a snapshot or group.
   *
   * @param key namespace and name
   * @param uid uid; {@link Uid#NONE} if the content is only reserved for a snapshot of that name
   */
  public record Ref(ObjectKey key, Uid uid) {}

  /**
   * Source of a snapshot: exactly one field is set.
   *
   * @param volumeHandle driver's id of the source volume; "" if none
   * @param snapshotHandle driver's id of an existing snapshot; "" if none
   */
  public record Source(String volumeHandle, String snapshotHandle) {}

  /**
   * Status reported by the driver.
   *
   * @param handle driver's id of the snapshot; "" if not created yet
   * @param created creationTime in nanoseconds since the epoch; 0 if not created yet
   * @param restoreSize minimum size of a restored volume in bytes; 0 if unknown
   * @param ready whether volumes can be restored from it
   * @param problem last error
   * @param group volumeGroupSnapshotHandle; "" if none
   */
  public record Status(
      String handle, long created, long restoreSize, boolean ready, Problem problem, String group) {
    public static final Status NONE = new Status("", 0, 0, false, Problem.NONE, "");
  }

  public SnapshotContent withStatus(Meta newMeta, Status newStatus) {
    return new SnapshotContent(
        newMeta, snapshot, policy, driver, className, source, mode, newStatus);
  }

  public boolean belongsTo(VolumeSnapshot candidate) {
    return snapshot.key().equals(candidate.key()) && snapshot.uid().equals(candidate.meta().uid());
  }

  /** Returns whether the content refers to this snapshot by name, with an equal or absent uid. */
  public boolean mayBelongTo(VolumeSnapshot candidate) {
    return belongsTo(candidate)
        || snapshot.key().equals(candidate.key()) && snapshot.uid().isNone();
  }
}
