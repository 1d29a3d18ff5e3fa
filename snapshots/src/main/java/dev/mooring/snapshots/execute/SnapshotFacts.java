package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
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
    Optional<SnapshotContent> content = Optional.empty();
    if (!name.isEmpty()) {
      switch (reader.read(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(name))) {
        case ReadResult.Found<SnapshotContent>(SnapshotContent found) ->
            content = Optional.of(found);
        case ReadResult.Absent<SnapshotContent> _ -> {}
        case ReadResult.Failed<SnapshotContent>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    }
    Optional<GroupSnapshot> group = Optional.empty();
    if (snapshot.isOfGroup()) {
      switch (groups.groupOf(snapshot)) {
        case ReadResult.Found<GroupSnapshot>(GroupSnapshot found) -> group = Optional.of(found);
        case ReadResult.Absent<GroupSnapshot> _ -> {}
        case ReadResult.Failed<GroupSnapshot>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    }
    return restored(snapshot, waiting, new Facts(content, Optional.empty(), group));
  }

  private ReadResult<Facts> restored(VolumeSnapshot snapshot, List<ObjectKey> waiting, Facts facts)
      throws InterruptedException {
    for (ObjectKey claim : waiting) {
      switch (reader.readWhole(Kind.CLAIM, claim)) {
        case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) -> {
          if (isFilledFrom(snapshot, found)) {
            return new ReadResult.Found<>(
                new Facts(facts.content(), Optional.of(claim), facts.group()));
          }
        }
        case ReadResult.Absent<Map<String, Object>> _ -> {}
        case ReadResult.Failed<Map<String, Object>>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    }
    return new ReadResult.Found<>(facts);
  }

  static boolean isFilledFrom(VolumeSnapshot snapshot, Map<String, Object> claim) {
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
