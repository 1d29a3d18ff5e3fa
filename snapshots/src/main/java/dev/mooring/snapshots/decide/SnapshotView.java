package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * Inputs of a decision about a snapshot that is not being deleted.
 *
 * @param content the named content, or the content created for the snapshot; empty if it does not
 *     exist
 * @param claim the source claim; empty if it does not exist
 * @param volume the source claim's volume; empty if it does not exist
 * @param classes every class
 */
public record SnapshotView(
    VolumeSnapshot snapshot,
    Optional<SnapshotContent> content,
    Optional<Claim> claim,
    Optional<Volume> volume,
    List<SnapshotClass> classes,
    Membership membership,
    NodeChoice nodeChoice) {
  /**
   * Node whose instance of the driver makes the snapshot.
   *
   * @param isRequired whether only some nodes can reach the volume
   * @param node name of one of them; "" if there is none
   */
  public record NodeChoice(boolean isRequired, String node) {
    public static final NodeChoice ANY = new NodeChoice(false, "");
  }

  /**
   * Group of a snapshot.
   *
   * @param isServed whether this controller serves groups; otherwise another one serves members too
   * @param group name of the group; "" if unknown
   */
  public record Membership(boolean isServed, String group) {
    public static final Membership UNSERVED = new Membership(false, "");
  }

  public SnapshotView(
      VolumeSnapshot snapshot,
      Optional<SnapshotContent> content,
      Optional<Claim> claim,
      Optional<Volume> volume,
      List<SnapshotClass> classes) {
    this(snapshot, content, claim, volume, classes, Membership.UNSERVED, NodeChoice.ANY);
  }

  public SnapshotView withMembership(Membership groupMembership) {
    return new SnapshotView(snapshot, content, claim, volume, classes, groupMembership, nodeChoice);
  }

  public SnapshotView withNode(NodeChoice choice) {
    return new SnapshotView(snapshot, content, claim, volume, classes, membership, choice);
  }

  public static String contentName(VolumeSnapshot snapshot) {
    if (!snapshot.sourceContent().isEmpty()) {
      return snapshot.sourceContent();
    }
    // a member's content has another name
    return snapshot.status().content().isEmpty()
        ? snapshot.generatedContentName()
        : snapshot.status().content();
  }
}
