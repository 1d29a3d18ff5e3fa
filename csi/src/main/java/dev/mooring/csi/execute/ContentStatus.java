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
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private ContentStatus() {}

  // Empty if the status is up to date.
  static Optional<Document> buildCreated(ContentView content, SnapshotAnswer answer, Instant now) {
    return switch (content.content()) {
      case SnapshotContent snapshot -> buildSnapshotStatus(snapshot, answer, now);
      case GroupSnapshotContent group -> buildGroupStatus(group, answer, now);
      default -> throw new IllegalArgumentException("not a content: " + content.key());
    };
  }

  private static Optional<Document> buildSnapshotStatus(
      SnapshotContent content, SnapshotAnswer answer, Instant now) {
    CsiSnapshot snapshot = answer.snapshots().getFirst();
    SnapshotContent.Status oldStatus = content.status();
    long created = snapshot.created() != 0 ? snapshot.created() : toNanos(now);
    SnapshotContent.Status newStatus =
        new SnapshotContent.Status(
            oldStatus.handle().isEmpty() ? answer.id() : oldStatus.handle(),
            oldStatus.created() != 0 ? oldStatus.created() : created,
            oldStatus.restoreSize() != 0 ? oldStatus.restoreSize() : snapshot.sizeBytes(),
            snapshot.ready(),
            oldStatus.problem(),
            oldStatus.group().isEmpty() ? snapshot.group() : oldStatus.group());
    if (newStatus.equals(oldStatus) && (oldStatus.problem().isNone() || !snapshot.ready())) {
      return Optional.empty();
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(newStatus.handle(), STATUS, "snapshotHandle")
            .set(newStatus.created(), STATUS, "creationTime")
            .set(newStatus.ready(), STATUS, "readyToUse");
    if (newStatus.restoreSize() > 0) {
      patch.set(newStatus.restoreSize(), STATUS, "restoreSize");
    }
    if (!newStatus.group().isEmpty()) {
      patch.set(newStatus.group(), STATUS, "volumeGroupSnapshotHandle");
    }
    return Optional.of(clearError(patch, answer.isReady()));
  }

  private static long toNanos(Instant instant) {
    return instant.getEpochSecond() * NANOS_PER_SECOND + instant.getNano();
  }

  private static Document clearError(Document patch, boolean isReady) {
    return isReady ? patch.set(null, STATUS, "error") : patch;
  }

  private static Optional<Document> buildGroupStatus(
      GroupSnapshotContent content, SnapshotAnswer answer, Instant now) {
    GroupSnapshotContent.Status oldStatus = content.status();
    long created =
        answer.created() != 0
            ? Math.floorDiv(answer.created(), NANOS_PER_SECOND)
            : now.getEpochSecond();
    List<Member> members =
        content.source().volumeHandles().isEmpty()
            ? oldStatus.members() // a pre-provisioned group names its snapshots in the status
            : answer.snapshots().stream().map(ContentStatus::toMember).toList();
    GroupSnapshotContent.Status newStatus =
        new GroupSnapshotContent.Status(
            oldStatus.handle().isEmpty() ? answer.id() : oldStatus.handle(),
            oldStatus.created() != 0 ? oldStatus.created() : created,
            answer.isReady(),
            oldStatus.problem(),
            members);
    if (newStatus.equals(oldStatus) && (oldStatus.problem().isNone() || !answer.isReady())) {
      return Optional.empty();
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(newStatus.handle(), STATUS, "volumeGroupSnapshotHandle")
            .set(Instant.ofEpochSecond(newStatus.created()).toString(), STATUS, "creationTime")
            .set(newStatus.ready(), STATUS, "readyToUse");
    if (!members.isEmpty()) {
      patch.set(
          members.stream().map(ContentStatus::toInfo).toList(), STATUS, "volumeSnapshotInfoList");
    }
    return Optional.of(clearError(patch, answer.isReady()));
  }

  private static Member toMember(CsiSnapshot snapshot) {
    return new Member(
        snapshot.volume(),
        snapshot.id(),
        snapshot.created(),
        snapshot.ready(),
        snapshot.sizeBytes());
  }

  private static Map<String, Object> toInfo(Member member) {
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

  static Document buildDeleted(ContentView content) {
    List<String> clearedFields =
        switch (content.kind()) {
          case SNAPSHOT -> List.of("snapshotHandle", "readyToUse", "creationTime", "restoreSize");
          case GROUP -> List.of("volumeGroupSnapshotHandle", "readyToUse", "creationTime", "error");
        };
    Document patch = Document.patchOf(content.meta());
    clearedFields.forEach(member -> patch.set(null, STATUS, member));
    return patch;
  }
}
