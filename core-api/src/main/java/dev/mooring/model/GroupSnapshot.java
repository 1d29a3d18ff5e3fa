package dev.mooring.model;

import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Optional;

/**
 * A VolumeGroupSnapshot (groupsnapshot.storage.k8s.io/v1): somebody's wish for snapshots of several
 * claims' volumes, all of the same moment, or for such a group that is there already.
 *
 * @param meta name, uid, version, finalizers
 * @param selector spec.source.selector: of which claims of its namespace; empty for none
 * @param sourceContent spec.source.volumeGroupSnapshotContentName: which group it is, "" for none
 * @param className spec.volumeGroupSnapshotClassName, "" for none
 * @param status what it was given
 */
public record GroupSnapshot(
    Meta meta,
    Optional<LabelSelector> selector,
    String sourceContent,
    String className,
    Status status)
    implements Resource {
  /** The finalizer of groups that go after their content. */
  public static final String BOUND_PROTECTION =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection";

  /**
   * What a group was given.
   *
   * @param content boundVolumeGroupSnapshotContentName, "" for none
   * @param ready whether volumes can be filled from all of its snapshots
   * @param created creationTime in seconds since the epoch, 0 for not yet
   * @param problem what went wrong last
   */
  public record Status(String content, boolean ready, long created, Problem problem) {
    /** None. */
    public static final Status NONE = new Status("", false, 0, Problem.NONE);
  }

  /** The name of the content that is made for it. */
  public String nameOfOwnContent() {
    return "groupsnapcontent-" + meta.uid();
  }
}
