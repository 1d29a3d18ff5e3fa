package dev.mooring.model;

import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Optional;

/**
 * A VolumeGroupSnapshot (groupsnapshot.storage.k8s.io/v1): requests a consistent snapshot of
 * several claims' volumes, or refers to an existing group.
 *
 * @param meta name, uid, version, finalizers
 * @param selector spec.source.selector: source claims in its namespace; empty if absent
 * @param sourceContent spec.source.volumeGroupSnapshotContentName: existing content; "" if none
 * @param className spec.volumeGroupSnapshotClassName; "" if none
 * @param status status
 */
public record GroupSnapshot(
    Meta meta,
    Optional<LabelSelector> selector,
    String sourceContent,
    String className,
    Status status)
    implements Resource {
  public static final String BOUND_PROTECTION =
      "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection";

  /**
   * Status of a group.
   *
   * @param content boundVolumeGroupSnapshotContentName; "" if none
   * @param ready whether volumes can be restored from all of its snapshots
   * @param created creationTime in seconds since the epoch; 0 if not created yet
   * @param problem last error
   */
  public record Status(String content, boolean ready, long created, Problem problem) {
    public static final Status NONE = new Status("", false, 0, Problem.NONE);
  }

  public String generatedContentName() {
    return "groupsnapcontent-" + meta.uid();
  }
}
