package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.execute.DriverSnapshots.SnapshotAnswer;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.SnapshotContent;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Status patches of contents after an answer of the driver. */
final class ContentStatus {
  private static final String STATUS = "status";
  private static final long SECOND = 1_000_000_000L;

  private ContentStatus() {}

  // Empty if the status is up to date.
  static Optional<Document> created(ContentView content, SnapshotAnswer answer, Instant now) {
    return switch (content.content()) {
      case SnapshotContent snapshot -> created(snapshot, answer, now);
      case GroupSnapshotContent group -> created(group, answer, now);
      default -> throw new IllegalArgumentException("not a content: " + content.key());
    };
  }

  private static Optional<Document> created(
      SnapshotContent content, SnapshotAnswer answer, Instant now) {
    CsiSnapshot snapshot = answer.snapshots().getFirst();
    SnapshotContent.Status before = content.status();
    long created = snapshot.created() != 0 ? snapshot.created() : nanos(now);
    SnapshotContent.Status status =
        new SnapshotContent.Status(
            before.handle().isEmpty() ? snapshot.id() : before.handle(),
            before.created() != 0 ? before.created() : created,
            before.restoreSize() != 0 ? before.restoreSize() : snapshot.sizeBytes(),
            snapshot.ready(),
            before.problem(),
            before.group().isEmpty() ? snapshot.group() : before.group());
    if (status.equals(before) && (before.problem().isNone() || !snapshot.ready())) {
      return Optional.empty();
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(status.handle(), STATUS, "snapshotHandle")
            .set(status.created(), STATUS, "creationTime")
            .set(status.ready(), STATUS, "readyToUse");
    if (status.restoreSize() > 0) {
      patch.set(status.restoreSize(), STATUS, "restoreSize");
    }
    if (!status.group().isEmpty()) {
      patch.set(status.group(), STATUS, "volumeGroupSnapshotHandle");
    }
    return Optional.of(withoutError(patch, answer.ready()));
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * SECOND + instant.getNano();
  }

  private static Document withoutError(Document patch, boolean ready) {
    return ready ? patch.set(null, STATUS, "error") : patch;
  }

  private static Optional<Document> created(
      GroupSnapshotContent content, SnapshotAnswer group, Instant now) {
    GroupSnapshotContent.Status before = content.status();
    long created =
        group.created() != 0 ? Math.floorDiv(group.created(), SECOND) : now.getEpochSecond();
    List<Member> members =
        content.source().volumeHandles().isEmpty()
            ? before.members() // a pre-provisioned group names its snapshots in the status
            : group.snapshots().stream().map(ContentStatus::member).toList();
    GroupSnapshotContent.Status status =
        new GroupSnapshotContent.Status(
            before.handle().isEmpty() ? group.id() : before.handle(),
            before.created() != 0 ? before.created() : created,
            group.ready(),
            before.problem(),
            members);
    if (status.equals(before) && (before.problem().isNone() || !group.ready())) {
      return Optional.empty();
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(status.handle(), STATUS, "volumeGroupSnapshotHandle")
            .set(Instant.ofEpochSecond(status.created()).toString(), STATUS, "creationTime")
            .set(status.ready(), STATUS, "readyToUse");
    if (!members.isEmpty()) {
      patch.set(
          members.stream().map(ContentStatus::info).toList(), STATUS, "volumeSnapshotInfoList");
    }
    return Optional.of(withoutError(patch, group.ready()));
  }

  private static Member member(CsiSnapshot snapshot) {
    return new Member(
        snapshot.volume(),
        snapshot.id(),
        snapshot.created(),
        snapshot.ready(),
        snapshot.sizeBytes());
  }

  private static Map<String, Object> info(Member member) {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("volumeHandle", member.volumeHandle());
    info.put("snapshotHandle", member.snapshotHandle());
    info.put("readyToUse", member.ready());
    if (member.created() != 0) {
      info.put("creationTime", member.created());
    }
    if (member.restoreSize() != 0) {
      info.put("restoreSize", member.restoreSize());
    }
    return info;
  }

  static Document deleted(ContentView content) {
    List<String> cleared =
        switch (content.kind()) {
          case SNAPSHOT -> List.of("snapshotHandle", "readyToUse", "creationTime", "restoreSize");
          case GROUP -> List.of("volumeGroupSnapshotHandle", "readyToUse", "creationTime", "error");
        };
    Document patch = Document.patchOf(content.meta());
    cleared.forEach(member -> patch.set(null, STATUS, member));
    return patch;
  }
}
