package dev.mooring.model;

import dev.mooring.model.VolumeSnapshot.Problem;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A VolumeGroupSnapshotContent (groupsnapshot.storage.k8s.io/v1): an existing or requested group of
 * snapshots in a driver.
 *
 * @param meta name, uid, version, finalizers, and the annotations defined here
 * @param group spec.volumeGroupSnapshotRef: the group that it belongs to
 * @param policy whether the driver's snapshots are deleted with the content; {@link
 *     ReclaimPolicy#UNKNOWN} if the value is neither Delete nor Retain
 * @param driver name of the CSI driver
 * @param className spec.volumeGroupSnapshotClassName; "" if none
 * @param source source volumes or an existing group
 * @param status status reported by the driver
 */
public record GroupSnapshotContent(
    Meta meta,
    SnapshotContent.Ref group,
    ReclaimPolicy policy,
    String driver,
    String className,
    Source source,
    Status status)
    implements Resource {
  public static final String BOUND_PROTECTION =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection";

  /** Annotation of a content whose group is being deleted; the policy then applies. */
  public static final String BEING_DELETED =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted";

  /** Annotation of a content for which the driver may have started to create a group. */
  public static final String BEING_CREATED =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created";

  public static final String SECRET_NAME =
      "groupsnapshot.storage.kubernetes.io/deletion-secret-name";

  public static final String SECRET_NAMESPACE =
      "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace";

  /**
   * Source of a group: either volumes, or an existing group with its snapshots.
   *
   * @param volumeHandles driver's ids of the source volumes; empty if none
   * @param groupHandle driver's id of an existing group; "" if none
   * @param snapshotHandles driver's ids of the existing group's snapshots
   */
  public record Source(
      List<String> volumeHandles, String groupHandle, List<String> snapshotHandles) {
    public Source {
      volumeHandles = List.copyOf(volumeHandles);
      snapshotHandles = List.copyOf(snapshotHandles);
    }
  }

  /**
   * A snapshot of the group.
   *
   * @param volumeHandle driver's id of the source volume
   * @param snapshotHandle driver's id of the snapshot
   * @param created creationTime in nanoseconds since the epoch; 0 if unknown
   * @param ready whether volumes can be restored from it
   * @param restoreSize minimum size of a restored volume in bytes; 0 if unknown
   */
  public record Member(
      String volumeHandle, String snapshotHandle, long created, boolean ready, long restoreSize) {}

  /**
   * Status reported by the driver.
   *
   * @param handle driver's id of the group; "" if not created yet
   * @param created creationTime in seconds since the epoch; 0 if not created yet
   * @param ready whether volumes can be restored from all snapshots
   * @param problem last error
   * @param members volumeSnapshotInfoList
   */
  public record Status(
      String handle, long created, boolean ready, Problem problem, List<Member> members) {
    public static final Status NONE = new Status("", 0, false, Problem.NONE, List.of());

    public Status {
      members = List.copyOf(members);
    }
  }

  public boolean belongsTo(GroupSnapshot candidate) {
    return group.key().equals(candidate.key()) && group.uid().equals(candidate.meta().uid());
  }

  /** Returns whether the content refers to this group by name, with an equal or absent uid. */
  public boolean mayBelongTo(GroupSnapshot candidate) {
    return belongsTo(candidate) || group.key().equals(candidate.key()) && group.uid().isNone();
  }

  /**
   * Returns the name of the VolumeSnapshot for a member; equal in every attempt.
   *
   * @param group uid of the group
   * @param volumeHandle driver's id of the source volume
   */
  public static String nameOfMember(Uid group, String volumeHandle) {
    try {
      byte[] bytes = (group + volumeHandle).getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "snapshot-" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException unsupported) {
      throw new IllegalStateException(unsupported); // every platform supports the algorithm
    }
  }
}
