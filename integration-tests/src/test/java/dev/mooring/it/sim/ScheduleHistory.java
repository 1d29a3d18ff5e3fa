package dev.mooring.it.sim;

import dev.mooring.cluster.VersionBumper;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;

/** Last steps of a schedule, for the report of a failure. */
final class ScheduleHistory {
  private final Deque<String> last = new ArrayDeque<>();
  private final int maxEntries;

  /**
   * Creates an empty history.
   *
   * @param maxEntries maximum number of lines kept
   */
  ScheduleHistory(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  void add(String entry) {
    last.addLast(entry);
    if (last.size() > maxEntries) {
      last.removeFirst();
    }
  }

  /**
   * Returns a short description of an object. It contains no times: deletion timestamps come from
   * the wall clock and would differ in a replay.
   */
  static String describe(Resource now) {
    return switch (now) {
      case Claim claim ->
          "%s %s %s of %s %s %s %s"
              .formatted(
                  claim.key(),
                  claim.phase(),
                  claim.volumeName(),
                  claim.status().storage(),
                  claim.request(),
                  claim.status().resize(),
                  claim.meta().finalizers());
      case Volume volume ->
          "%s %s %s %s %s"
              .formatted(
                  volume.key(),
                  volume.phase(),
                  volume.storage(),
                  volume.claimRef(),
                  volume.finalizers());
      case Attachment attachment ->
          "attachment of %s to %s: %s%s%s %s"
              .formatted(
                  attachment.volumeName(),
                  attachment.nodeName(),
                  attachment.attached() ? "attached" : "not attached",
                  attachment.meta().isBeingDeleted() ? ", being deleted" : "",
                  attachment.meta().hasAnnotation(VersionBumper.VERSION_MARK) ? ", marked" : "",
                  attachment.attachError() + attachment.detachError());
      case VolumeSnapshot snapshot ->
          "snapshot %s%s of content \"%s\" %s"
              .formatted(
                  snapshot.key(),
                  snapshot.meta().isBeingDeleted() ? ", being deleted," : "",
                  snapshot.status().content(),
                  snapshot.meta().finalizers());
      case SnapshotContent content ->
          "content %s %s%s%s of %s, handle \"%s\" %s"
              .formatted(
                  content.key(),
                  content.policy(),
                  content.meta().isBeingDeleted() ? ", being deleted," : "",
                  content.meta().hasAnnotation(SnapshotContent.BEING_DELETED)
                      ? ", deletion recorded,"
                      : "",
                  content.snapshot(),
                  content.status().handle(),
                  content.meta().finalizers());
      case Node node -> node.key() + " lists " + new TreeSet<>(node.volumesAttached().keySet());
      default -> now.key().toString();
    };
  }

  @Override
  public String toString() {
    return String.join("\n", last);
  }
}
