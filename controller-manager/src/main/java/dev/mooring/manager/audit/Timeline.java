package dev.mooring.manager.audit;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.snapshots.SnapshotController;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Log lines about one volume, its claim and its attachments, in order. The log itself determines
 * which objects belong together.
 *
 * @param lines the oldest first
 * @param unread number of unreadable lines
 */
public record Timeline(List<AuditLine> lines, long unreadableLines) {
  private static final String VOLUME_NAME = "spec.volumeName=";
  private static final String CLAIM_NAMESPACE = "spec.claimRef.namespace=";
  private static final String CLAIM_NAME = "spec.claimRef.name=";
  private static final String ATTACHED_VOLUME = "spec.source.persistentVolumeName=";

  private record Subject(String kind, String key) {}

  // Controllers whose keys name other objects, which may have the same name as a claim.
  private static final Set<String> OF_OTHERS =
      Set.of(EphemeralVolumes.NAME, SnapshotController.NAME);

  public static Timeline read(AuditFiles log, Kind<?> kind, ObjectKey key) throws IOException {
    Map<Subject, Set<Subject>> ties = new HashMap<>();
    long unread = log.read(line -> tie(line, ties));
    Subject asked = new Subject(kind.kind(), key.toString());
    Set<Subject> subjects = new HashSet<>(Set.of(asked));
    for (Subject tied : ties.getOrDefault(asked, Set.of())) {
      subjects.add(tied);
      if (tied.kind().equals(Kind.VOLUME.kind())) {
        ties.getOrDefault(tied, Set.of()).stream()
            .filter(other -> other.kind().equals(Kind.ATTACHMENT.kind()))
            .forEach(subjects::add);
      }
    }
    List<AuditLine> lines = new ArrayList<>();
    log.read(line -> {
      if (line.did().equals(AuditLine.LOSE) || concerns(line, subjects)) {
        lines.add(line);
      }
    });
    return new Timeline(lines, unread);
  }

  public Timeline {
    lines = List.copyOf(lines);
  }

  public Timeline last(int most) {
    return new Timeline(
        lines.subList(Math.max(0, lines.size() - most), lines.size()), unreadableLines);
  }

  private static void tie(AuditLine line, Map<Subject, Set<Subject>> ties) {
    Subject one = subject(line);
    if (one.kind().equals(Kind.CLAIM.kind())) {
      tie(one, Kind.VOLUME, value(line, VOLUME_NAME), ties);
    } else if (one.kind().equals(Kind.ATTACHMENT.kind())) {
      tie(one, Kind.VOLUME, value(line, ATTACHED_VOLUME), ties);
    } else if (one.kind().equals(Kind.VOLUME.kind())) {
      String name = value(line, CLAIM_NAME);
      String claim = name.isEmpty() ? "" : value(line, CLAIM_NAMESPACE) + "/" + name;
      tie(one, Kind.CLAIM, claim, ties);
    }
  }

  private static void tie(Subject one, Kind<?> kind, String key, Map<Subject, Set<Subject>> ties) {
    if (!key.isEmpty()) {
      Subject other = new Subject(kind.kind(), key);
      ties.computeIfAbsent(one, k -> new HashSet<>()).add(other);
      ties.computeIfAbsent(other, k -> new HashSet<>()).add(one);
    }
  }

  private static String value(AuditLine line, String field) {
    return line.fields().stream()
        .filter(f -> f.startsWith(field))
        .map(f -> f.substring(field.length()))
        .findFirst()
        .orElse("");
  }

  private static Subject subject(AuditLine line) {
    return new Subject(line.kind(), new ObjectKey(line.namespace(), line.name()).toString());
  }

  private static boolean concerns(AuditLine line, Set<Subject> subjects) {
    if (!line.kind().isEmpty()) {
      return subjects.contains(subject(line));
    }
    return !OF_OTHERS.contains(line.controller())
        && (subjects.contains(new Subject(Kind.CLAIM.kind(), line.key()))
            || subjects.contains(new Subject(Kind.VOLUME.kind(), line.key())));
  }
}
