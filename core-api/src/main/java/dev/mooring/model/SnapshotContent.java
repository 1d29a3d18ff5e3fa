package dev.mooring.model;

import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Optional;

/**
 * A VolumeSnapshotContent (snapshot.storage.k8s.io/v1): a snapshot at a driver, or one that is to
 * be made there.
 *
 * @param meta name, uid, version, finalizers, and the annotations of this class
 * @param snapshot spec.volumeSnapshotRef: whose it is
 * @param policy what becomes of the driver's snapshot with it; {@link ReclaimPolicy#UNKNOWN} for a
 *     word that is neither Delete nor Retain
 * @param driver the driver's name
 * @param className spec.volumeSnapshotClassName, "" for none
 * @param source of what it is made, or what it is
 * @param mode spec.sourceVolumeMode; empty if it does not say
 * @param status what the driver said
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
  /** The finalizer of contents that belong to a snapshot. */
  public static final String BOUND_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";

  /**
   * The annotation of contents whose snapshot is being deleted: with them goes what policy says.
   */
  public static final String BEING_DELETED =
      "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted";

  /** The annotation of contents for which the driver may have begun a snapshot. */
  public static final String BEING_CREATED =
      "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

  /** The annotation that names the Secret with credentials for the snapshot. */
  public static final String SECRET_NAME = "snapshot.storage.kubernetes.io/deletion-secret-name";

  /** The annotation that names that Secret's namespace. */
  public static final String SECRET_NAMESPACE =
      "snapshot.storage.kubernetes.io/deletion-secret-namespace";

  /** The annotation of contents that are made with others, as a group. */
  public static final String GROUP_MEMBER =
      "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle";

  /**
   * Whose a content is.
   *
   * @param key namespace and name
   * @param uid the snapshot's uid; {@link Uid#NONE} when it is merely meant for one of that name
   */
  public record Ref(ObjectKey key, Uid uid) {}

  /**
   * Where it comes from: one of the two.
   *
   * @param volumeHandle the volume, at the driver, of which one is made; "" for none
   * @param snapshotHandle the driver's snapshot that was there before; "" for none
   */
  public record Source(String volumeHandle, String snapshotHandle) {}

  /**
   * What the driver said.
   *
   * @param handle the snapshot's id at the driver, "" for none yet
   * @param created creationTime in nanoseconds since the epoch, 0 for not yet
   * @param restoreSize in bytes, 0 if that is not known
   * @param ready whether volumes can be filled from it
   * @param problem what went wrong last
   * @param group volumeGroupSnapshotHandle, "" for none
   */
  public record Status(
      String handle, long created, long restoreSize, boolean ready, Problem problem, String group) {
    /** None. */
    public static final Status NONE = new Status("", 0, 0, false, Problem.NONE, "");
  }

  /** The same with other metadata and another status. */
  public SnapshotContent with(Meta other, Status said) {
    return new SnapshotContent(other, snapshot, policy, driver, className, source, mode, said);
  }

  /** Whether it is the content of that very snapshot. */
  public boolean isOf(VolumeSnapshot other) {
    return snapshot.key().equals(other.key()) && snapshot.uid().equals(other.meta().uid());
  }

  /** Whether it is that snapshot's, or may become so. */
  public boolean mayBeOf(VolumeSnapshot other) {
    return isOf(other) || snapshot.key().equals(other.key()) && snapshot.uid().isNone();
  }
}
