package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.Optional;

/**
 * Member of a group and its objects.
 *
 * @param info the driver's data
 * @param name name of its VolumeSnapshot
 * @param snapshot its VolumeSnapshot; empty if it does not exist
 * @param content its VolumeSnapshotContent; empty if it does not exist
 * @param volume its source volume; empty if it no longer exists
 */
public record GroupMember(
    Member info,
    String name,
    Optional<VolumeSnapshot> snapshot,
    Optional<SnapshotContent> content,
    Optional<Volume> volume) {
  private static final String SNAPSHOT_PREFIX = "snapshot-";
  private static final String CONTENT_PREFIX = "snapcontent-";

  public static String contentName(String memberName) {
    return memberName.startsWith(SNAPSHOT_PREFIX)
        ? CONTENT_PREFIX + memberName.substring(SNAPSHOT_PREFIX.length())
        : "";
  }
}
