package dev.mooring.manager.explain;

import dev.mooring.explain.AgeFormat;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Explanations as text, 80 columns wide. */
public final class ExplanationText {
  private static final Map<String, String> SHORT =
      Map.of(
          Kind.CLAIM.kind(), "pvc",
          Kind.VOLUME.kind(), "pv",
          Kind.POD.kind(), "pod",
          Kind.NODE.kind(), "node",
          Kind.ATTACHMENT.kind(), "volumeattachment",
          Kind.STORAGE_CLASS.kind(), "class");

  private static final int CANDIDATES = 5;

  private ExplanationText() {}

  public static String shortName(Kind<?> kind) {
    return SHORT.getOrDefault(kind.kind(), kind.kind());
  }

  public static String of(SubjectRef subject, List<Explanation> explanations, long now) {
    TerminalLines lines = new TerminalLines();
    lines.put("", name(subject));
    for (Explanation explanation : explanations) {
      lines.gap();
      if (!explanation.subject().equals(subject)) {
        lines.put("", name(explanation.subject()));
      }
      put(lines, explanation, now);
    }
    return lines.toString();
  }

  private static void put(TerminalLines lines, Explanation e, long now) {
    lines.put(
        "State   ", e.state() + (e.since() > 0 ? ", for " + AgeFormat.text(now - e.since()) : ""));
    lines.put("Reason  ", e.cause().code() + ": " + e.cause().meaning());
    lines.put("        ", e.note());
    lines.put("Next    ", e.next().sentence());
    if (e.waits() && !e.cause().remedy().isEmpty() && !e.cause().remedy().equals(e.next().text())) {
      lines.put("Remedy  ", e.cause().remedy());
    }
    e.unseen().forEach(unseen -> put(lines, unseen));
    e.evidence().errors().forEach(error -> lines.put("Error   ", error));
    e.evidence().said().forEach(said -> lines.put("Event   ", said(said, now)));
    EvidenceText.measures(lines, e.evidence().measures());
    evidence(lines, e.subject().kind(), e.evidence());
  }

  private static void put(TerminalLines lines, UnreadableKind unseen) {
    lines.put(
        "Unread  ",
        unseen.kind().plural() + " (unknown: " + unseen.leavesOpen() + "): " + unseen.why());
  }

  private static String said(ReportedEvent said, long now) {
    return said.reason()
        + (said.when() > 0 ? ", " + AgeFormat.text(now - said.when()) + " ago" : "")
        + ": "
        + said.note();
  }

  private static void evidence(TerminalLines lines, Kind<?> kind, Evidence evidence) {
    EvidenceText.holders(lines, kind, evidence.holders());
    String candidates =
        kind.equals(Kind.VOLUME) ? "Claims" : kind.equals(Kind.POD) ? "Nodes" : "Volumes";
    List<Candidate> all = evidence.candidates();
    if (!all.isEmpty()) {
      lines.gap();
      lines.put(
          "",
          candidates
              + ", best match first"
              + (all.size() > CANDIDATES
                  ? " (" + CANDIDATES + " of " + all.size() + "; all: -o json)"
                  : ""));
      all.stream().limit(CANDIDATES).forEach(candidate -> put(lines, candidate));
    }
  }

  private static void put(TerminalLines lines, Candidate candidate) {
    lines.put("  ", candidate.name() + " (" + candidate.description() + ")");
    candidate
        .failed()
        .forEach(check -> lines.put("    no  %-16s".formatted(check.name()), check.note()));
    String passed =
        candidate.checks().stream()
            .filter(Candidate.Check::passed)
            .map(Candidate.Check::name)
            .collect(Collectors.joining(", "));
    if (!passed.isEmpty()) {
      lines.put("    ok  ", passed);
    }
  }

  public record Part(int from, int most) {
    public static final Part ALL = new Part(0, Integer.MAX_VALUE);

    public <T> List<T> of(List<T> all) {
      return all.stream().skip(from).limit(most).toList();
    }

    public int left(List<?> all) {
      return Math.max(0, all.size() - from - of(all).size());
    }
  }

  public static String ofAll(ExplainAnswer answer, Part part, long now) {
    TerminalLines lines = new TerminalLines();
    List<Explanation> waiting = answer.explanations().stream().filter(Explanation::waits).toList();
    List<Explanation> shown = part.of(waiting);
    lines.put(
        "",
        waiting.stream().map(Explanation::subject).distinct().count()
            + " of "
            + answer.objects()
            + " objects are waiting"
            + (waiting.isEmpty() ? "" : rangeOf(shown, waiting, part)));
    for (Explanation e : shown) {
      lines.gap();
      lines.put("", name(e.subject()));
      lines.put(
          "  ",
          e.state()
              + (e.since() > 0 ? ", for " + AgeFormat.text(now - e.since()) : "")
              + ": "
              + e.cause().code());
      lines.put("  ", e.note());
      lines.put("  Next    ", e.next().sentence());
    }
    if (!answer.unseen().isEmpty()) {
      lines.gap();
      answer.unseen().forEach(one -> put(lines, one));
    }
    return lines.toString();
  }

  private static String rangeOf(List<Explanation> shown, List<Explanation> waiting, Part part) {
    if (shown.size() == waiting.size()) {
      return ":";
    }
    return shown.isEmpty()
        ? "; no entries after the first " + waiting.size()
        : "; showing %d to %d of %d"
            .formatted(part.from() + 1, part.from() + shown.size(), waiting.size());
  }

  private static String name(SubjectRef subject) {
    return name(subject.kind().kind(), subject.key());
  }

  static String name(String kind, ObjectKey key) {
    String name = SHORT.getOrDefault(kind, kind) + "/" + key.name();
    return key.namespace().isEmpty() ? name : name + " in namespace " + key.namespace();
  }
}
