package dev.mooring.manager.explain;

import dev.mooring.explain.AgeFormat;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Explanations of one object as text, 80 columns wide. */
public final class ExplanationText {
  static final String NO_HEADING = " ".repeat(8);
  private static final String COMMAND_INDENT = NO_HEADING + "  ";

  private static final Map<String, String> SHORT_NAMES =
      Map.ofEntries(
          Map.entry(Kind.CLAIM.kind(), "pvc"),
          Map.entry(Kind.VOLUME.kind(), "pv"),
          Map.entry(Kind.POD.kind(), "pod"),
          Map.entry(Kind.NODE.kind(), "node"),
          Map.entry(Kind.ATTACHMENT.kind(), "volumeattachment"),
          Map.entry(Kind.STORAGE_CLASS.kind(), "class"),
          Map.entry(Kind.SNAPSHOT.kind(), "volumesnapshot"),
          Map.entry(Kind.SNAPSHOT_CONTENT.kind(), "volumesnapshotcontent"),
          Map.entry(Kind.SNAPSHOT_CLASS.kind(), "volumesnapshotclass"),
          Map.entry(Kind.GROUP_SNAPSHOT.kind(), "volumegroupsnapshot"),
          Map.entry(Kind.GROUP_SNAPSHOT_CONTENT.kind(), "volumegroupsnapshotcontent"),
          Map.entry(Kind.GROUP_SNAPSHOT_CLASS.kind(), "volumegroupsnapshotclass"));

  private ExplanationText() {}

  public static String shortName(Kind<?> kind) {
    return SHORT_NAMES.getOrDefault(kind.kind(), kind.kind());
  }

  /** Returns the answer for one object; a pod's answer explains the claims that it uses. */
  public static String of(ExplainAnswer answer, TextLayout layout) {
    String text = of(answer.explanations(), layout);
    ExplainedObject requested = Objects.requireNonNull(answer.requested());
    boolean isAboutOthers =
        answer.explanations().stream()
            .noneMatch(e ->
                e.subject().kind().equals(requested.kind())
                    && e.subject().key().equals(requested.key()));
    if (!isAboutOthers) {
      return text;
    }
    TerminalLines lines = new TerminalLines(layout.hasColours());
    lines.put(
        "",
        name(requested.kind().kind(), requested.key())
            + (answer.waits() ? " waits for:" : " uses:"));
    lines.addBlankLine();
    return lines + "\n" + text;
  }

  static String of(List<Explanation> explanations, TextLayout layout) {
    TerminalLines lines = new TerminalLines(layout.hasColours());
    boolean isFirst = true;
    for (Explanation explanation : explanations) {
      if (!isFirst) {
        lines.addBlankLine();
      }
      isFirst = false;
      lines.putTitle(title(explanation, layout.now()), explanation.cause().rank());
      lines.addBlankLine();
      putCause(lines, "", explanation);
      putEvidence(lines, explanation, layout);
    }
    return lines.toString();
  }

  static String title(Explanation e, long now) {
    String code = e.cause().code();
    return name(e.subject()) + ": " + state(e, now) + (e.state().equals(code) ? "" : ": " + code);
  }

  static String state(Explanation e, long now) {
    return e.state() + (e.stateSince() > 0 ? " for " + AgeFormat.format(now - e.stateSince()) : "");
  }

  static void putCause(TerminalLines lines, String indent, Explanation e) {
    lines.put(indent + "Cause   ", CauseSentence.of(e));
    for (Explanation link : e.evidence().because()) {
      lines.put(
          indent + "<-      ",
          name(link.subject()) + ": " + link.cause().code() + ": " + CauseSentence.ofLink(link));
    }
    Explanation deepest = e.deepest();
    putHints(lines, indent, deepest);
    putSteps(lines, indent, e);
    RemedyCommands.of(deepest)
        .forEach(command -> lines.putCommand(indent + COMMAND_INDENT, command));
  }

  private static void putHints(TerminalLines lines, String indent, Explanation e) {
    e.evidence().facts().stream()
        .filter(fact -> fact.group().equals(NamedFact.HINT))
        .forEach(fact ->
            lines.put(
                indent + "Hint    ", "did you mean " + fact.name() + " \"" + fact.value() + "\"?"));
  }

  private static void putSteps(TerminalLines lines, String indent, Explanation e) {
    if (e.nextStep().actor() != StepActor.PERSON) {
      lines.put(indent + "Next    ", e.nextStep().sentence());
    }
    String remedy = CauseSentence.findRemedy(e);
    if (!remedy.isEmpty()) {
      lines.put(indent + "To do   ", remedy);
    }
  }

  private static void putEvidence(TerminalLines lines, Explanation e, TextLayout layout) {
    e.unreadableKinds().forEach(unreadable -> put(lines, unreadable));
    Set<String> errors = new LinkedHashSet<>(e.evidence().errors());
    e.evidence().because().forEach(link -> errors.addAll(link.evidence().errors()));
    errors.stream()
        .filter(error -> !e.message().contains(error))
        .forEach(error -> lines.put("Error   ", error));
    Set<String> eventTexts = new LinkedHashSet<>();
    for (ReportedEvent event : e.evidence().events()) {
      if (!repeats(event, e, errors) && eventTexts.add(event.reason() + event.note())) {
        lines.put("Event   ", eventText(event, layout.now()));
      }
    }
    CandidateText.put(lines, e, layout);
    EvidenceText.putHolders(lines, e.subject().kind(), e.evidence().holders());
    EvidenceText.putMeasures(
        lines,
        e.evidence().facts().stream()
            .filter(fact -> !fact.group().equals(NamedFact.HINT))
            .toList());
  }

  // An event of the controllers ends with its code.
  private static boolean repeats(ReportedEvent event, Explanation e, Set<String> errors) {
    return event.note().contains("[" + e.cause().code() + "]")
        || event.note().contains(e.message())
        || errors.stream().anyMatch(event.note()::contains);
  }

  static void put(TerminalLines lines, UnreadableKind unreadable) {
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

  static String name(SubjectRef subject) {
    return name(subject.kind().kind(), subject.key());
  }

  static String name(String kind, ObjectKey key) {
    String name = SHORT_NAMES.getOrDefault(kind, kind) + "/" + key.name();
    return key.namespace().isEmpty() ? name : name + " in namespace " + key.namespace();
  }
}
