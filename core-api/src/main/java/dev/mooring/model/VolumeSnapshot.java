package dev.mooring.model;

import java.util.Optional;

/**
 * A VolumeSnapshot (snapshot.storage.k8s.io/v1): requests a snapshot or refers to an existing one.
 *
 * @param meta name, uid, version, finalizers
 * @param sourceClaim spec.source.persistentVolumeClaimName: source claim; "" if none
 * @param sourceContent spec.source.volumeSnapshotContentName: existing content; "" if none
 * @param className spec.volumeSnapshotClassName; "" if none
 * @param status status
 */
public record VolumeSnapshot(
    Meta meta, String sourceClaim, String sourceContent, String className, Status status)
    implements Resource {
  /** Finalizer of every snapshot, because each may be the source of a volume. */
  public static final String SOURCE_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";

  public static final String BOUND_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";

  /** Finalizer that a provisioner sets on a snapshot while it restores a volume from it. */
  public static final String RESTORE_PROTECTION =
      "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

  public static final String GROUP_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection";

  public static final String CLAIM_PROTECTION =
      "snapshot.storage.kubernetes.io/pvc-as-source-protection";

  /**
   * Status of a snapshot.
   *
   * @param content boundVolumeSnapshotContentName; "" if none
   * @param ready whether volumes can be restored from it
   * @param created creationTime in seconds since the epoch; 0 if not created yet
   * @param restoreSize minimum size of a restored volume; empty if unknown
   * @param problem last error
   * @param group volumeGroupSnapshotName; "" if none
   */
  public record Status(
      String content,
      boolean ready,
      long created,
      Optional<Quantity> restoreSize,
      Problem problem,
      String group) {
    public static final Status NONE = new Status("", false, 0, Optional.empty(), Problem.NONE, "");
  }

  /**
   * status.error.
   *
   * @param time time in seconds since the epoch; 0 if absent
   * @param message message for users; "" if there is no error
   */
  public record Problem(long time, String message) {
    public static final Problem NONE = new Problem(0, "");

    public boolean isNone() {
      return message.isEmpty();
    }
  }

  /**
   * Returns whether the snapshot protects its source claim, which it does until it is ready. A
   * member's claim is protected by the group instead: a deleted member exists as long as its group,
   * and its status is no longer updated.
   */
  public boolean isProtectingClaim() {
    return !sourceClaim.isEmpty() && !status.ready() && !isGroupMember();
  }

  public boolean isGroupMember() {
    return !status.group().isEmpty() || meta.finalizers().contains(GROUP_PROTECTION);
  }

  public String generatedContentName() {
    return "snapcontent-" + meta.uid();
  }
}
