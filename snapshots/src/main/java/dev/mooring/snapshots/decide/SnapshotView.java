package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * All that a decision about a snapshot rests on that is not being deleted.
 *
 * @param snapshot the snapshot
 * @param content the content that it names, or the one that is made for it; empty if there is none
 * @param claim the claim that it is made of; empty if there is none
 * @param volume that claim's volume; empty if there is none
 * @param classes every class
 * @param membership what is known of the group that it was made with
 */
public record SnapshotView(
    VolumeSnapshot snapshot,
    Optional<SnapshotContent> content,
    Optional<Claim> claim,
    Optional<Volume> volume,
    List<SnapshotClass> classes,
    Membership membership) {
  /**
   * A snapshot's group.
   *
   * @param served whether groups are worked on here; else whoever works on them sees to their
   *     snapshots too
   * @param group the name of the group that its content was cut with, "" if that is not known
   */
  public record Membership(boolean served, String group) {
    /** Groups are somebody else's. */
    public static final Membership UNSERVED = new Membership(false, "");
  }

  /** Where groups are somebody else's. */
  public SnapshotView(
      VolumeSnapshot snapshot,
      Optional<SnapshotContent> content,
      Optional<Claim> claim,
      Optional<Volume> volume,
      List<SnapshotClass> classes) {
    this(snapshot, content, claim, volume, classes, Membership.UNSERVED);
  }

  /** The same, where they are worked on here. */
  public SnapshotView of(Membership known) {
    return new SnapshotView(snapshot, content, claim, volume, classes, known);
  }

  /** The name of the content that counts for a snapshot. */
  public static String nameOfContent(VolumeSnapshot snapshot) {
    if (!snapshot.sourceContent().isEmpty()) {
      return snapshot.sourceContent();
    }
    // a group's members are bound to contents of other names
    return snapshot.status().content().isEmpty()
        ? snapshot.nameOfOwnContent()
        : snapshot.status().content();
  }
}
