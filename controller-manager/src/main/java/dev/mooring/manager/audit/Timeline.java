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
 * @param unreadableLines number of unreadable lines
 */
public record Timeline(List<AuditLine> lines, long unreadableLines) {
  private static final String VOLUME_NAME = "spec.volumeName=";
  private static final String CLAIM_NAMESPACE = "spec.claimRef.namespace=";
  private static final String CLAIM_NAME = "spec.claimRef.name=";
  private static final String ATTACHED_VOLUME = "spec.source.persistentVolumeName=";

  private record Subject(String kind, String key) {}

  // Controllers whose keys name other objects, which may have the same name as a claim.
  private static final Set<String> CONTROLLERS_WITH_FOREIGN_KEYS =
      Set.of(EphemeralVolumes.NAME, SnapshotController.NAME);

  public static Timeline read(AuditFiles log, Kind<?> kind, ObjectKey key) throws IOException {
    Map<Subject, Set<Subject>> links = new HashMap<>();
    long unreadable = log.read(line -> linkSubjects(line, links));
    Subject requested = new Subject(kind.kind(), key.toString());
    Set<Subject> subjects = new HashSet<>(Set.of(requested));
    for (Subject linked : links.getOrDefault(requested, Set.of())) {
      subjects.add(linked);
      if (linked.kind().equals(Kind.VOLUME.kind())) {
        links.getOrDefault(linked, Set.of()).stream()
            .filter(object -> object.kind().equals(Kind.ATTACHMENT.kind()))
            .forEach(subjects::add);
      }
    }
    List<AuditLine> lines = new ArrayList<>();
    log.read(line -> {
      if (line.did().equals(AuditLine.LOSE) || isAbout(line, subjects)) {
        lines.add(line);
      }
    });
    return new Timeline(lines, unreadable);
  }

  public Timeline {
    lines = List.copyOf(lines);
  }

  public Timeline last(int count) {
    return new Timeline(
        lines.subList(Math.max(0, lines.size() - count), lines.size()), unreadableLines);
  }

  private static void linkSubjects(AuditLine line, Map<Subject, Set<Subject>> links) {
    Subject subject = subject(line);
    if (subject.kind().equals(Kind.CLAIM.kind())) {
      link(subject, Kind.VOLUME, value(line, VOLUME_NAME), links);
    } else if (subject.kind().equals(Kind.ATTACHMENT.kind())) {
      link(subject, Kind.VOLUME, value(line, ATTACHED_VOLUME), links);
    } else if (subject.kind().equals(Kind.VOLUME.kind())) {
      String name = value(line, CLAIM_NAME);
      String claim = name.isEmpty() ? "" : value(line, CLAIM_NAMESPACE) + "/" + name;
      link(subject, Kind.CLAIM, claim, links);
    }
  }

  private static void link(
      Subject subject, Kind<?> kind, String key, Map<Subject, Set<Subject>> links) {
    if (!key.isEmpty()) {
      Subject other = new Subject(kind.kind(), key);
      links.computeIfAbsent(subject, k -> new HashSet<>()).add(other);
      links.computeIfAbsent(other, k -> new HashSet<>()).add(subject);
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

  private static boolean isAbout(AuditLine line, Set<Subject> subjects) {
    if (!line.kind().isEmpty()) {
      return subjects.contains(subject(line));
    }
    return !CONTROLLERS_WITH_FOREIGN_KEYS.contains(line.controller())
        && (subjects.contains(new Subject(Kind.CLAIM.kind(), line.key()))
            || subjects.contains(new Subject(Kind.VOLUME.kind(), line.key())));
  }
}
