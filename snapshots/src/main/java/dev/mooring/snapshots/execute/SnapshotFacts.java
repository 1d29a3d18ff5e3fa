package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.DeletionDecider.DeletionFacts;
import dev.mooring.snapshots.decide.GroupDeletionDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider.GroupDeletionFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads facts about snapshots and group snapshots that must be live. Thread-safe. */
public record SnapshotFacts(LiveReader reader) {
  public ReadResult<DeletionFacts> of(VolumeSnapshot snapshot, Optional<ObjectKey> restored)
      throws InterruptedException {
    String name = DeletionDecider.contentName(snapshot);
    ReadResult<SnapshotContent> content = content(Kind.SNAPSHOT_CONTENT, name);
    if (content instanceof ReadResult.Failed<SnapshotContent>(String message)) {
      return new ReadResult.Failed<>(message);
    }
    ReadResult<GroupSnapshot> group =
        snapshot.isGroupMember() ? groupOf(snapshot) : new ReadResult.Absent<>();
    return group instanceof ReadResult.Failed<GroupSnapshot>(String message)
        ? new ReadResult.Failed<>(message)
        : new ReadResult.Found<>(new DeletionFacts(content.found(), restored, group.found()));
  }

  private <C extends Resource> ReadResult<C> content(Kind<C> kind, String name)
      throws InterruptedException {
    return name.isEmpty() ? new ReadResult.Absent<>() : reader.read(kind, ObjectKey.cluster(name));
  }

  // Returns the claims that the selector matches, sorted by name.
  public ReadResult<List<ObjectKey>> claims(GroupSnapshot group) throws InterruptedException {
    return reader
        .list(Kind.CLAIM_LABELS, group.key().namespace())
        .map(all ->
            all.stream()
                .filter(claim ->
                    group
                        .selector()
                        .filter(selector -> selector.matches(claim.meta().labels()))
                        .isPresent())
                .map(claim -> claim.meta().key())
                .sorted()
                .toList());
  }

  // Returns the group of a snapshot: its owner, else the group in its status.
  private ReadResult<GroupSnapshot> groupOf(VolumeSnapshot snapshot) throws InterruptedException {
    return switch (reader.readWhole(Kind.SNAPSHOT, snapshot.key())) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) -> {
        Optional<Map<?, ?>> owner = owner(found);
        String name =
            owner.map(o -> String.valueOf(o.get("name"))).orElse(snapshot.status().group());
        yield name.isEmpty()
            ? new ReadResult.Absent<>()
            : groupOf(snapshot, name, owner.map(o -> Uid.of(String.valueOf(o.get("uid")))));
      }
      case ReadResult.Absent<Map<String, Object>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new ReadResult.Failed<>(message);
    };
  }

  private ReadResult<GroupSnapshot> groupOf(VolumeSnapshot snapshot, String name, Optional<Uid> uid)
      throws InterruptedException {
    ReadResult<GroupSnapshot> read =
        reader.read(Kind.GROUP_SNAPSHOT, new ObjectKey(snapshot.key().namespace(), name));
    boolean isOther =
        read instanceof ReadResult.Found<GroupSnapshot>(GroupSnapshot found)
            && uid.filter(u -> !u.equals(found.meta().uid())).isPresent();
    return isOther ? new ReadResult.Absent<>() : read;
  }

  private static Optional<Map<?, ?>> owner(Map<String, Object> snapshot) {
    if (snapshot.get("metadata") instanceof Map<?, ?> meta
        && meta.get("ownerReferences") instanceof List<?> owners) {
      for (Object candidate : owners) {
        if (candidate instanceof Map<?, ?> owner
            && Kind.GROUP_SNAPSHOT.kind().equals(owner.get("kind"))
            && String.valueOf(owner.get("apiVersion"))
                .startsWith(Kind.GROUP_SNAPSHOT.group() + "/")) {
          return Optional.of(owner);
        }
      }
    }
    return Optional.empty();
  }

  public ReadResult<GroupDeletionFacts> of(GroupSnapshot group, Optional<VolumeSnapshot> restored)
      throws InterruptedException {
    String name = GroupDeletionDecider.contentName(group);
    ReadResult<GroupSnapshotContent> content = content(Kind.GROUP_SNAPSHOT_CONTENT, name);
    return content instanceof ReadResult.Failed<GroupSnapshotContent>(String message)
        ? new ReadResult.Failed<>(message)
        : new ReadResult.Found<>(new GroupDeletionFacts(content.found(), restored));
  }
}
