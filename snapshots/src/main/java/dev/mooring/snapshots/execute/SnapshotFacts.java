package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.RawObject;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.DeletionDecider.DelayView;
import dev.mooring.snapshots.decide.DeletionDecider.DeletionFacts;
import dev.mooring.snapshots.decide.GroupDeletionDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider.GroupDeletionFacts;
import dev.mooring.storage.ClaimManifest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads facts about snapshots and group snapshots that must be live. Thread-safe. */
public record SnapshotFacts(LiveReader reader) {
  public ReadResult<DeletionFacts> read(
      VolumeSnapshot snapshot,
      Optional<ObjectKey> restoringClaim,
      Function<Optional<SnapshotContent>, DelayView> delay)
      throws InterruptedException {
    String name = DeletionDecider.contentName(snapshot);
    ReadResult<SnapshotContent> content = readNamed(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(name));
    if (content instanceof ReadResult.Failed<SnapshotContent>(String message)) {
      return new ReadResult.Failed<>(message);
    }
    ReadResult<GroupSnapshot> group =
        snapshot.isGroupMember() ? readGroup(snapshot) : new ReadResult.Absent<>();
    return group instanceof ReadResult.Failed<GroupSnapshot>(String message)
        ? new ReadResult.Failed<>(message)
        : new ReadResult.Found<>(
            new DeletionFacts(
                content.toOptional(),
                restoringClaim,
                group.toOptional(),
                delay.apply(content.toOptional())));
  }

  // Users choose the names; the API server has no answer about an impossible one.
  private <T extends Resource> ReadResult<T> readNamed(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return key.flaw().isEmpty() ? reader.read(kind, key) : new ReadResult.Absent<>();
  }

  // Returns the claims that the selector matches, sorted by name.
  public ReadResult<List<ObjectKey>> listClaims(GroupSnapshot group) throws InterruptedException {
    return reader
        .list(Kind.CLAIM_LABELS, group.key().namespace())
        .map(claims ->
            claims.stream()
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
  private ReadResult<GroupSnapshot> readGroup(VolumeSnapshot snapshot) throws InterruptedException {
    return switch (reader.readWhole(Kind.SNAPSHOT, snapshot.key())) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> document) -> {
        Optional<RawObject> owner = findOwner(new RawObject(document));
        String name = owner.map(o -> o.text("name")).orElse(snapshot.status().group());
        yield name.isEmpty()
            ? new ReadResult.Absent<>()
            : readGroup(snapshot, name, owner.map(o -> Uid.of(o.text("uid"))));
      }
      case ReadResult.Absent<Map<String, Object>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new ReadResult.Failed<>(message);
    };
  }

  private ReadResult<GroupSnapshot> readGroup(
      VolumeSnapshot snapshot, String name, Optional<Uid> uid) throws InterruptedException {
    ReadResult<GroupSnapshot> answer =
        readNamed(Kind.GROUP_SNAPSHOT, new ObjectKey(snapshot.key().namespace(), name));
    boolean isOther =
        answer instanceof ReadResult.Found<GroupSnapshot>(GroupSnapshot group)
            && uid.filter(u -> !u.equals(group.meta().uid())).isPresent();
    return isOther ? new ReadResult.Absent<>() : answer;
  }

  private static Optional<RawObject> findOwner(RawObject snapshot) {
    return snapshot.at("metadata").objects("ownerReferences").stream()
        .filter(owner ->
            owner.text("kind").equals(Kind.GROUP_SNAPSHOT.kind())
                && owner.text("apiVersion").startsWith(Kind.GROUP_SNAPSHOT.group() + "/"))
        .findFirst();
  }

  public ReadResult<GroupDeletionFacts> read(
      GroupSnapshot group, Optional<VolumeSnapshot> restoredMember) throws InterruptedException {
    String name = GroupDeletionDecider.contentName(group);
    ReadResult<GroupSnapshotContent> content =
        readNamed(Kind.GROUP_SNAPSHOT_CONTENT, ObjectKey.cluster(name));
    return content instanceof ReadResult.Failed<GroupSnapshotContent>(String message)
        ? new ReadResult.Failed<>(message)
        : new ReadResult.Found<>(new GroupDeletionFacts(content.toOptional(), restoredMember));
  }

  ReadResult<String> readManifest(VolumeSnapshot snapshot) throws InterruptedException {
    return reader.readWhole(Kind.SNAPSHOT, snapshot.key()).map(ClaimManifest::ofSnapshot);
  }

  // the content last: its version is that of the write
  ReadResult<EndFacts> readEnd(SnapshotContent content) throws InterruptedException {
    ReadResult<VolumeSnapshot> snapshot = reader.read(Kind.SNAPSHOT, content.snapshot().key());
    if (snapshot instanceof ReadResult.Failed<VolumeSnapshot>(String message)) {
      return new ReadResult.Failed<>(message);
    }
    return reader
        .read(Kind.SNAPSHOT_CONTENT, content.key())
        .map(live -> new EndFacts(snapshot.toOptional(), live));
  }

  record EndFacts(Optional<VolumeSnapshot> snapshot, SnapshotContent content) {}
}
