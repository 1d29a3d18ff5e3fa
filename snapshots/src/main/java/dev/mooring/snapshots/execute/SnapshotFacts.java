package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.ClaimHolders;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.DeletionDecider.Facts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the server what the deletion of a snapshot rests on. Thread-safe. */
public record SnapshotFacts(LiveReader reader, GroupFacts groups) {
  /**
   * What the server says.
   *
   * @param waiting claims that wait for a volume which is filled from something
   */
  public ReadResult<Facts> of(VolumeSnapshot snapshot, List<ObjectKey> waiting)
      throws InterruptedException {
    String name = DeletionDecider.content(snapshot);
    ReadResult<SnapshotContent> content =
        name.isEmpty()
            ? new ReadResult.Absent<>()
            : reader.read(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(name));
    if (content instanceof ReadResult.Failed<SnapshotContent>(String message)) {
      return new ReadResult.Failed<>(message);
    }
    ReadResult<GroupSnapshot> group =
        snapshot.isOfGroup() ? groups.groupOf(snapshot) : new ReadResult.Absent<>();
    if (group instanceof ReadResult.Failed<GroupSnapshot>(String message)) {
      return new ReadResult.Failed<>(message);
    }
    return restored(reader, List.of(snapshot), waiting)
        .map(filled -> new Facts(content.found(), filled.map(Restored::claim), group.found()));
  }

  /**
   * What may hold a claim, by what the server says.
   *
   * @param groupsToo whether the server has the kinds of groups
   */
  public ReadResult<ClaimHolders> holders(ObjectKey claim, boolean groupsToo)
      throws InterruptedException {
    ReadResult<List<VolumeSnapshot>> snapshots = reader.list(Kind.SNAPSHOT, claim.namespace());
    ReadResult<List<SnapshotContent>> contents = reader.list(Kind.SNAPSHOT_CONTENT, "");
    ReadResult<List<GroupSnapshotContent>> ofGroups =
        groupsToo
            ? reader.list(Kind.GROUP_SNAPSHOT_CONTENT, "")
            : new ReadResult.Found<>(List.of());
    for (ReadResult<?> read : List.of(snapshots, contents, ofGroups)) {
      if (read instanceof ReadResult.Failed<?>(String message)) {
        return new ReadResult.Failed<>(message);
      }
    }
    return new ReadResult.Found<>(
        new ClaimHolders(
            snapshots.found().orElse(List.of()),
            contents.found().orElse(List.of()),
            ofGroups.found().orElse(List.of())));
  }

  /** A snapshot, and a claim that waits to be filled from it. */
  record Restored(VolumeSnapshot snapshot, ObjectKey claim) {}

  /** The first that is found; always found, none if no claim waits for any of them. */
  static ReadResult<Optional<Restored>> restored(
      LiveReader reader, List<VolumeSnapshot> snapshots, List<ObjectKey> waiting)
      throws InterruptedException {
    for (ObjectKey claim : snapshots.isEmpty() ? List.<ObjectKey>of() : waiting) {
      ReadResult<Map<String, Object>> read = reader.readWhole(Kind.CLAIM, claim);
      if (read instanceof ReadResult.Failed<Map<String, Object>>(String message)) {
        return new ReadResult.Failed<>(message);
      }
      for (VolumeSnapshot snapshot : snapshots) {
        if (read.found().filter(found -> isFilledFrom(snapshot, found)).isPresent()) {
          return new ReadResult.Found<>(Optional.of(new Restored(snapshot, claim)));
        }
      }
    }
    return new ReadResult.Found<>(Optional.empty());
  }

  private static boolean isFilledFrom(VolumeSnapshot snapshot, Map<String, Object> claim) {
    return claim.get("spec") instanceof Map<?, ?> spec
        && (names(spec.get("dataSource"), snapshot) || names(spec.get("dataSourceRef"), snapshot));
  }

  private static boolean names(@Nullable Object source, VolumeSnapshot snapshot) {
    return source instanceof Map<?, ?> reference
        && Kind.SNAPSHOT.group().equals(reference.get("apiGroup"))
        && Kind.SNAPSHOT.kind().equals(reference.get("kind"))
        && snapshot.meta().name().equals(reference.get("name"))
        && (reference.get("namespace") == null
            || snapshot.key().namespace().equals(reference.get("namespace")));
  }
}
