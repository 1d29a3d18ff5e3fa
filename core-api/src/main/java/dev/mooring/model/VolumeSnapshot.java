package dev.mooring.model;

import java.util.Optional;

/**
 * A VolumeSnapshot (snapshot.storage.k8s.io/v1): somebody's wish for a snapshot, or for one that is
 * there already.
 *
 * @param meta name, uid, version, finalizers
 * @param sourceClaim spec.source.persistentVolumeClaimName: of which claim one is to be made; ""
 *     for none
 * @param sourceContent spec.source.volumeSnapshotContentName: which one it is, "" for none
 * @param className spec.volumeSnapshotClassName, "" for none
 * @param status what it was given
 */
public record VolumeSnapshot(
    Meta meta, String sourceClaim, String sourceContent, String className, Status status)
    implements Resource {
  /** The finalizer of snapshots that may be a source of volumes: of every one. */
  public static final String SOURCE_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";

  /** The finalizer of snapshots that go after their content. */
  public static final String BOUND_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";

  /** The finalizer of snapshots that a volume is being filled from: whoever fills it sets it. */
  public static final String RESTORE_PROTECTION =
      "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

  /** The finalizer of snapshots that were made with others, as a group, and go with it. */
  public static final String GROUP_PROTECTION =
      "snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection";

  /** The finalizer of claims while a snapshot is made of their volume. */
  public static final String CLAIM_PROTECTION =
      "snapshot.storage.kubernetes.io/pvc-as-source-protection";

  /**
   * What a snapshot was given.
   *
   * @param content boundVolumeSnapshotContentName, "" for none
   * @param ready whether volumes can be filled from it
   * @param created creationTime in seconds since the epoch, 0 for not yet
   * @param restoreSize how large a volume has to be; empty if that is not known
   * @param problem what went wrong last
   * @param group volumeGroupSnapshotName, "" for none
   */
  public record Status(
      String content,
      boolean ready,
      long created,
      Optional<Quantity> restoreSize,
      Problem problem,
      String group) {
    /** None. */
    public static final Status NONE = new Status("", false, 0, Optional.empty(), Problem.NONE, "");
  }

  /**
   * status.error.
   *
   * @param time when, in seconds since the epoch; 0 if it does not say
   * @param message what, for people; "" for no problem
   */
  public record Problem(long time, String message) {
    /** None. */
    public static final Problem NONE = new Problem(0, "");

    /** Whether there is none. */
    public boolean isNone() {
      return message.isEmpty();
    }
  }

  /**
   * Whether it holds its source claim: until it is ready. For a member, the group holds the claim:
   * a deleted member stays as long as its group, and its status is no longer written.
   */
  public boolean isHoldingItsClaim() {
    return !sourceClaim.isEmpty() && !status.ready() && !isOfGroup();
  }

  /** Whether it was made with others, as a group. */
  public boolean isOfGroup() {
    return !status.group().isEmpty() || meta.finalizers().contains(GROUP_PROTECTION);
  }

  /** The name of the content that is made for it. */
  public String nameOfOwnContent() {
    return "snapcontent-" + meta.uid();
  }
}
