package dev.mooring.model;

import dev.mooring.model.VolumeSnapshot.Problem;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A VolumeGroupSnapshotContent (groupsnapshot.storage.k8s.io/v1): a group of snapshots at a driver,
 * or one that is to be made there.
 *
 * @param meta name, uid, version, finalizers, and the annotations of this class
 * @param group spec.volumeGroupSnapshotRef: whose it is
 * @param policy what becomes of the driver's snapshots with it; {@link ReclaimPolicy#UNKNOWN} for a
 *     word that is neither Delete nor Retain
 * @param driver the driver's name
 * @param className spec.volumeGroupSnapshotClassName, "" for none
 * @param source of what it is made, or what it is
 * @param status what the driver said
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
  /** The finalizer of contents that belong to a group. */
  public static final String BOUND_PROTECTION =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection";

  /** The annotation of contents whose group is being deleted: with them goes what policy says. */
  public static final String BEING_DELETED =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted";

  /** The annotation of contents for which the driver may have begun a group. */
  public static final String BEING_CREATED =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created";

  /** The annotation that names the Secret with credentials for the group. */
  public static final String SECRET_NAME =
      "groupsnapshot.storage.kubernetes.io/deletion-secret-name";

  /** The annotation that names that Secret's namespace. */
  public static final String SECRET_NAMESPACE =
      "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace";

  /**
   * Where it comes from: volumes, or a group with its snapshots.
   *
   * @param volumeHandles the volumes, at the driver, of which one is made; empty for none
   * @param groupHandle the driver's group that was there before; "" for none
   * @param snapshotHandles the snapshots of that group
   */
  public record Source(
      List<String> volumeHandles, String groupHandle, List<String> snapshotHandles) {
    /** Copies the lists. */
    public Source {
      volumeHandles = List.copyOf(volumeHandles);
      snapshotHandles = List.copyOf(snapshotHandles);
    }
  }

  /**
   * One snapshot of the group.
   *
   * @param volumeHandle of which volume, at the driver
   * @param snapshotHandle its id at the driver
   * @param created creationTime in nanoseconds since the epoch, 0 if that is not known
   * @param ready whether volumes can be filled from it
   * @param restoreSize in bytes, 0 if that is not known
   */
  public record Member(
      String volumeHandle, String snapshotHandle, long created, boolean ready, long restoreSize) {}

  /**
   * What the driver said.
   *
   * @param handle the group's id at the driver, "" for none yet
   * @param created creationTime in seconds since the epoch, 0 for not yet
   * @param ready whether volumes can be filled from all of its snapshots
   * @param problem what went wrong last
   * @param members volumeSnapshotInfoList
   */
  public record Status(
      String handle, long created, boolean ready, Problem problem, List<Member> members) {
    /** None. */
    public static final Status NONE = new Status("", 0, false, Problem.NONE, List.of());

    /** Copies the list. */
    public Status {
      members = List.copyOf(members);
    }
  }

  /** Whether it is the content of that very group. */
  public boolean isOf(GroupSnapshot other) {
    return group.key().equals(other.key()) && group.uid().equals(other.meta().uid());
  }

  /** Whether it is that group's, or may become so. */
  public boolean mayBeOf(GroupSnapshot other) {
    return isOf(other) || group.key().equals(other.key()) && group.uid().isNone();
  }

  /**
   * The name of the VolumeSnapshot of one of a group's snapshots, the same at every try.
   *
   * @param group the group's uid
   * @param volumeHandle of which volume it is, at the driver
   */
  public static String nameOfMember(Uid group, String volumeHandle) {
    try {
      byte[] bytes = (group + volumeHandle).getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "snapshot-" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException(never); // every platform has it
    }
  }
}
