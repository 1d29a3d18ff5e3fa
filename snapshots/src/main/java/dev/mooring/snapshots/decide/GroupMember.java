package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.Optional;

/**
 * One snapshot of a group, and what the cluster has of it.
 *
 * @param info what the driver said of it
 * @param name the name of its VolumeSnapshot
 * @param snapshot that one; empty if there is none
 * @param content its VolumeSnapshotContent; empty if there is none
 * @param volume the volume that it was cut of; empty if there is none any more
 */
public record GroupMember(
    Member info,
    String name,
    Optional<VolumeSnapshot> snapshot,
    Optional<SnapshotContent> content,
    Optional<Volume> volume) {
  private static final String SNAPSHOT = "snapshot-";
  private static final String CONTENT = "snapcontent-";

  /** The name of the content of a member of that name. */
  public static String contentOf(String member) {
    return member.startsWith(SNAPSHOT) ? CONTENT + member.substring(SNAPSHOT.length()) : "";
  }
}
