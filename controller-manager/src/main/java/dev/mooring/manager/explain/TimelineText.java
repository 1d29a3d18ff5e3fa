package dev.mooring.manager.explain;

import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.SubjectRef;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.audit.Timeline;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Timelines as text and JSON. */
public final class TimelineText {
  private static final Set<String> FAILURES =
      Set.of("conflict", "rejected", "unknown", "failed", "retry", "give-up", "lost");

  private TimelineText() {}

  /**
   * Returns a timeline as text. It begins with a summary.
   *
   * @param showsFields whether written fields and versions are shown
   */
  public static String of(SubjectRef subject, Timeline timeline, boolean showsFields) {
    TerminalLines lines = new TerminalLines();
    lines.put("", ExplanationText.name(subject.kind().kind(), subject.key()));
    lines.addBlankLine();
    lines.put(
        "",
        timeline.lines().isEmpty()
            ? "the log contains no entries about this object"
            : summary(timeline.lines()));
    for (AuditLine line : timeline.lines()) {
      lines.addBlankLine();
      lines.put("", line.time() + origin(line));
      lines.put("    ", describe(line, showsFields));
      if (showsFields && !line.fields().isEmpty()) {
        lines.put("    ", String.join(", ", line.fields()));
      }
      if (!line.note().isEmpty()) {
        lines.put("    ", line.note());
      }
    }
    if (timeline.unreadableLines() > 0) {
      lines.addBlankLine();
      lines.put("", "unreadable lines in the log: " + timeline.unreadableLines());
    }
    return lines.toString();
  }

  /** Returns the decisions in order, the number of entries and failures, and the last result. */
  private static String summary(List<AuditLine> lines) {
    List<String> decisions = new ArrayList<>();
    for (AuditLine line : lines) {
      boolean isNew = decisions.isEmpty() || !decisions.getLast().equals(line.decision());
      if (!line.decision().isEmpty() && isNew) {
        decisions.add(line.decision());
      }
    }
    long failed = lines.stream().filter(line -> FAILURES.contains(line.result())).count();
    AuditLine last = lines.getLast();
    return "%s%s from %s to %s%s; last: %s"
        .formatted(
            decisions.isEmpty() ? "" : String.join(", then ", decisions) + ": ",
            lines.size() == 1 ? "1 entry" : lines.size() + " entries",
            truncateToSeconds(lines.getFirst().time()),
            truncateToSeconds(last.time()),
            failed == 0 ? "" : ", " + failed + " without success",
            describe(last, false));
  }

  public static String json(Timeline timeline, int earlier) {
    return "{\"apiVersion\": \"%s\", \"kind\": \"Timeline\", \"earlier\": %d, \"unread\": %d, \"items\": [%s]}"
        .formatted(
            ExplanationTree.VERSION,
            earlier,
            timeline.unreadableLines(),
            timeline.lines().stream().map(AuditLine::json).collect(Collectors.joining(", ")));
  }

  public static List<Explanation> addActions(
      List<Explanation> explanations, ObjectKey key, List<AuditLine> lines) {
    if (lines.isEmpty()) {
      return explanations;
    }
    List<Explanation> extended = new ArrayList<>(explanations);
    for (int i = 0; i < extended.size(); i++) {
      if (extended.get(i).subject().key().equals(key)) {
        extended.set(
            i, extended.get(i).withEvidence(addActions(extended.get(i).evidence(), lines)));
        return extended;
      }
    }
    return extended;
  }

  private static Evidence addActions(Evidence evidence, List<AuditLine> lines) {
    List<NamedFact> measures = new ArrayList<>(evidence.facts());
    for (AuditLine line : lines) {
      String decision = line.decision().isEmpty() ? "" : line.decision() + ": ";
      String note = line.note().isEmpty() ? "" : ": " + line.note();
      measures.add(
          new NamedFact(
              NamedFact.DONE, truncateToSeconds(line.time()), decision + describe(line) + note));
    }
    return evidence.withFacts(measures);
  }

  // Drops fractions of a second, which are noise in an explanation.
  private static String truncateToSeconds(String time) {
    int dot = time.indexOf('.');
    return dot < 0 ? time : time.substring(0, dot) + "Z";
  }

  private static String origin(AuditLine line) {
    String decision =
        line.decision().isEmpty()
            ? ""
            : ": " + line.decision() + (line.reason().isEmpty() ? "" : ", " + line.reason());
    return line.controller().isEmpty() ? "" : " " + line.controller() + decision;
  }

  private static String describe(AuditLine line) {
    return describe(line, true);
  }

  private static String describe(AuditLine line, boolean showsDetails) {
    if (line.did().equals(AuditLine.LOSE)) {
      return "lines were lost";
    }
    StringBuilder text = new StringBuilder(line.did());
    if (line.did().equals("event")) {
      text.append(' ').append(line.reason());
    }
    if (line.kind().isEmpty()) {
      text.append(" of ").append(line.key());
    } else {
      ObjectKey key = new ObjectKey(line.namespace(), line.name());
      text.append(' ').append(ExplanationText.name(line.kind(), key));
    }
    text.append(": ").append(line.result());
    if (!showsDetails) {
      return text.toString();
    }
    if (line.to() != 0) {
      text.append(", version ").append(line.from() == 0 ? "" : line.from() + " to ");
      text.append(line.to());
    }
    if (line.ms() > 0) {
      text.append(String.format(Locale.ROOT, ", %.1f ms", line.ms()));
    }
    return text.toString();
  }
}
