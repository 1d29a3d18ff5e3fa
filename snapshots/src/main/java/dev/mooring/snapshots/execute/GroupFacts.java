package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.GroupDeletionDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider.Facts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the server what is decided about groups by its word alone. Thread-safe. */
public record GroupFacts(LiveReader reader) {
  /** The claims that the group's selector chooses, by their names. */
  public ReadResult<List<ObjectKey>> claims(GroupSnapshot group) throws InterruptedException {
    return switch (reader.list(Kind.CLAIM_LABELS, group.key().namespace())) {
      case ReadResult.Found<List<ClaimLabels>>(List<ClaimLabels> all) ->
          new ReadResult.Found<>(
              all.stream()
                  .filter(claim ->
                      group
                          .selector()
                          .filter(selector -> selector.matches(claim.meta().labels()))
                          .isPresent())
                  .map(claim -> claim.meta().key())
                  .sorted()
                  .toList());
      case ReadResult.Absent<List<ClaimLabels>> _ -> new ReadResult.Found<>(List.of());
      case ReadResult.Failed<List<ClaimLabels>>(String message) -> new ReadResult.Failed<>(message);
    };
  }

  /**
   * The group that a snapshot is a member of: the one that owns it or, if none does, that its
   * status names.
   */
  ReadResult<GroupSnapshot> groupOf(VolumeSnapshot snapshot) throws InterruptedException {
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
    boolean another =
        read instanceof ReadResult.Found<GroupSnapshot>(GroupSnapshot found)
            && uid.filter(u -> !u.equals(found.meta().uid())).isPresent();
    return another ? new ReadResult.Absent<>() : read;
  }

  private static Optional<Map<?, ?>> owner(Map<String, Object> snapshot) {
    if (snapshot.get("metadata") instanceof Map<?, ?> meta
        && meta.get("ownerReferences") instanceof List<?> owners) {
      for (Object one : owners) {
        if (one instanceof Map<?, ?> owner
            && Kind.GROUP_SNAPSHOT.kind().equals(owner.get("kind"))
            && String.valueOf(owner.get("apiVersion"))
                .startsWith(Kind.GROUP_SNAPSHOT.group() + "/")) {
          return Optional.of(owner);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * What the deletion of a group rests on.
   *
   * @param members its snapshots
   * @param waiting claims that wait for a volume which is filled from something
   */
  public ReadResult<Facts> of(
      GroupSnapshot group, List<VolumeSnapshot> members, List<ObjectKey> waiting)
      throws InterruptedException {
    return switch (content(group)) {
      case ReadResult.Found<GroupSnapshotContent>(GroupSnapshotContent found) ->
          restored(Optional.of(found), members, waiting);
      case ReadResult.Absent<GroupSnapshotContent> _ ->
          restored(Optional.empty(), members, waiting);
      case ReadResult.Failed<GroupSnapshotContent>(String message) ->
          new ReadResult.Failed<>(message);
    };
  }

  private ReadResult<GroupSnapshotContent> content(GroupSnapshot group)
      throws InterruptedException {
    String name = GroupDeletionDecider.content(group);
    return name.isEmpty()
        ? new ReadResult.Absent<>()
        : reader.read(Kind.GROUP_SNAPSHOT_CONTENT, ObjectKey.cluster(name));
  }

  private ReadResult<Facts> restored(
      Optional<GroupSnapshotContent> content, List<VolumeSnapshot> members, List<ObjectKey> waiting)
      throws InterruptedException {
    for (ObjectKey claim : members.isEmpty() ? List.<ObjectKey>of() : waiting) {
      switch (reader.readWhole(Kind.CLAIM, claim)) {
        case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) -> {
          for (VolumeSnapshot member : members) {
            if (SnapshotFacts.isFilledFrom(member, found)) {
              return new ReadResult.Found<>(new Facts(content, Optional.of(member)));
            }
          }
        }
        case ReadResult.Absent<Map<String, Object>> _ -> {}
        case ReadResult.Failed<Map<String, Object>>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    }
    return new ReadResult.Found<>(new Facts(content, Optional.empty()));
  }
}
