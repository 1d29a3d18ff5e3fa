package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.DeletionDecider.DeletionFacts;
import java.util.Optional;

/** Reads the live facts for the deletion of a snapshot. Thread-safe. */
public record SnapshotFacts(LiveReader reader, GroupFacts groups) {
  public ReadResult<DeletionFacts> of(VolumeSnapshot snapshot, Optional<ObjectKey> restored)
      throws InterruptedException {
    String name = DeletionDecider.contentName(snapshot);
    ReadResult<SnapshotContent> content =
        name.isEmpty()
            ? new ReadResult.Absent<>()
            : reader.read(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(name));
    if (content instanceof ReadResult.Failed<SnapshotContent>(String message)) {
      return new ReadResult.Failed<>(message);
    }
    ReadResult<GroupSnapshot> group =
        snapshot.isGroupMember() ? groups.groupOf(snapshot) : new ReadResult.Absent<>();
    return group instanceof ReadResult.Failed<GroupSnapshot>(String message)
        ? new ReadResult.Failed<>(message)
        : new ReadResult.Found<>(new DeletionFacts(content.found(), restored, group.found()));
  }
}
