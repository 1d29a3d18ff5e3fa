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
  private static final Map<String, String> SHORT_NAMES =
      Map.of(
          Kind.CLAIM.kind(), "pvc",
          Kind.VOLUME.kind(), "pv",
          Kind.POD.kind(), "pod",
          Kind.NODE.kind(), "node",
          Kind.ATTACHMENT.kind(), "volumeattachment",
          Kind.STORAGE_CLASS.kind(), "class");

  private static final int MAX_CANDIDATES = 5;

  private ExplanationText() {}

  public static String shortName(Kind<?> kind) {
    return SHORT_NAMES.getOrDefault(kind.kind(), kind.kind());
  }

  public static String of(SubjectRef subject, List<Explanation> explanations, long now) {
    TerminalLines lines = new TerminalLines();
    lines.put("", name(subject));
    for (Explanation explanation : explanations) {
      lines.addBlankLine();
      if (!explanation.subject().equals(subject)) {
        lines.put("", name(explanation.subject()));
      }
      put(lines, explanation, now);
    }
    return lines.toString();
  }

  private static void put(TerminalLines lines, Explanation e, long now) {
    lines.put(
        "State   ",
        e.state() + (e.stateSince() > 0 ? ", for " + AgeFormat.format(now - e.stateSince()) : ""));
    lines.put("Reason  ", e.cause().code() + ": " + e.cause().meaning());
    lines.put("        ", e.message());
    lines.put("Next    ", e.nextStep().sentence());
    if (e.isWaiting()
        && !e.cause().remedy().isEmpty()
        && !e.cause().remedy().equals(e.nextStep().text())) {
      lines.put("Remedy  ", e.cause().remedy());
    }
    e.unreadableKinds().forEach(unreadable -> put(lines, unreadable));
    e.evidence().errors().forEach(error -> lines.put("Error   ", error));
    e.evidence().events().forEach(event -> lines.put("Event   ", eventText(event, now)));
    EvidenceText.putMeasures(lines, e.evidence().facts());
    putEvidence(lines, e.subject().kind(), e.evidence());
  }

  private static void put(TerminalLines lines, UnreadableKind unreadable) {
    lines.put(
        "Unread  ",
        unreadable.kind().plural()
            + " (unknown: "
            + unreadable.openQuestion()
            + "): "
            + unreadable.error());
  }

  private static String eventText(ReportedEvent event, long now) {
    return event.reason()
        + (event.lastSeen() > 0 ? ", " + AgeFormat.format(now - event.lastSeen()) + " ago" : "")
        + ": "
        + event.note();
  }

  private static void putEvidence(TerminalLines lines, Kind<?> kind, Evidence evidence) {
    EvidenceText.putHolders(lines, kind, evidence.holders());
    String heading =
        kind.equals(Kind.VOLUME) ? "Claims" : kind.equals(Kind.POD) ? "Nodes" : "Volumes";
    List<Candidate> candidates = evidence.candidates();
    if (!candidates.isEmpty()) {
      lines.addBlankLine();
      lines.put(
          "",
          heading
              + ", best match first"
              + (candidates.size() > MAX_CANDIDATES
                  ? " (" + MAX_CANDIDATES + " of " + candidates.size() + "; all: -o json)"
                  : ""));
      candidates.stream().limit(MAX_CANDIDATES).forEach(candidate -> put(lines, candidate));
    }
  }

  private static void put(TerminalLines lines, Candidate candidate) {
    lines.put("  ", candidate.name() + " (" + candidate.description() + ")");
    candidate
        .failed()
        .forEach(check -> lines.put("    no  %-16s".formatted(check.name()), check.message()));
    String passedChecks =
        candidate.checks().stream()
            .filter(Candidate.Check::isPassed)
            .map(Candidate.Check::name)
            .collect(Collectors.joining(", "));
    if (!passedChecks.isEmpty()) {
      lines.put("    ok  ", passedChecks);
    }
  }

  public record Page(int offset, int limit) {
    public static final Page ALL = new Page(0, Integer.MAX_VALUE);

    public <T> List<T> of(List<T> items) {
      return items.stream().skip(offset).limit(limit).toList();
    }

    public int remaining(List<?> items) {
      return Math.max(0, items.size() - offset - of(items).size());
    }
  }

  public static String ofAll(ExplainAnswer answer, Page page, long now) {
    TerminalLines lines = new TerminalLines();
    List<Explanation> waitingExplanations =
        answer.explanations().stream().filter(Explanation::isWaiting).toList();
    List<Explanation> pageExplanations = page.of(waitingExplanations);
    lines.put(
        "",
        waitingExplanations.stream().map(Explanation::subject).distinct().count()
            + " of "
            + answer.objects()
            + " objects are waiting"
            + (waitingExplanations.isEmpty()
                ? ""
                : rangeOf(pageExplanations, waitingExplanations, page)));
    for (Explanation e : pageExplanations) {
      lines.addBlankLine();
      lines.put("", name(e.subject()));
      lines.put(
          "  ",
          e.state()
              + (e.stateSince() > 0 ? ", for " + AgeFormat.format(now - e.stateSince()) : "")
              + ": "
              + e.cause().code());
      lines.put("  ", e.message());
      lines.put("  Next    ", e.nextStep().sentence());
    }
    if (!answer.unseen().isEmpty()) {
      lines.addBlankLine();
      answer.unseen().forEach(unreadable -> put(lines, unreadable));
    }
    return lines.toString();
  }

  private static String rangeOf(
      List<Explanation> pageExplanations, List<Explanation> waitingExplanations, Page page) {
    if (pageExplanations.size() == waitingExplanations.size()) {
      return ":";
    }
    return pageExplanations.isEmpty()
        ? "; no entries after the first " + waitingExplanations.size()
        : "; showing %d to %d of %d"
            .formatted(
                page.offset() + 1,
                page.offset() + pageExplanations.size(),
                waitingExplanations.size());
  }

  private static String name(SubjectRef subject) {
    return name(subject.kind().kind(), subject.key());
  }

  static String name(String kind, ObjectKey key) {
    String name = SHORT_NAMES.getOrDefault(kind, kind) + "/" + key.name();
    return key.namespace().isEmpty() ? name : name + " in namespace " + key.namespace();
  }
}
