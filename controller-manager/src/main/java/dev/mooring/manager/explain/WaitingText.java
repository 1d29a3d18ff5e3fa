package dev.mooring.manager.explain;

import dev.mooring.explain.AgeFormat;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.WaitingGroup;
import dev.mooring.model.Kind;
import dev.mooring.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that waits, as text: grouped by cause, one by one, as a table or as names. */
public final class WaitingText {
  private static final int MAX_NAMES = 5;

  private static final Map<String, String> NOUNS =
      Map.of(
          Kind.CLAIM.kind(), "claim",
          Kind.VOLUME.kind(), "volume",
          Kind.POD.kind(), "pod",
          Kind.NODE.kind(), "node",
          Kind.ATTACHMENT.kind(), "attachment",
          Kind.STORAGE_CLASS.kind(), "class");

  private WaitingText() {}

  public record Page(int offset, int limit) {
    public static final Page ALL = new Page(0, Integer.MAX_VALUE);

    public <T> List<T> of(List<T> items) {
      return items.stream().skip(offset).limit(limit).toList();
    }

    public int remaining(List<?> items) {
      return Math.max(0, items.size() - offset - of(items).size());
    }
  }

  public static String ofCauses(ExplainAnswer answer, TextLayout layout) {
    List<WaitingGroup> groups = WaitingGroup.of(waiting(answer));
    TerminalLines lines = new TerminalLines(layout.hasColours());
    lines.put(
        "",
        summary(answer)
            + (groups.isEmpty()
                ? ""
                : groups.size() == 1 ? ", for 1 cause:" : ", for " + groups.size() + " causes:"));
    for (WaitingGroup group : groups) {
      lines.addBlankLine();
      if (group.members().size() == 1) {
        putSingle(lines, group.first(), layout.now());
      } else {
        putGroup(lines, group, layout.now());
      }
    }
    putUnseen(lines, answer);
    return lines.toString();
  }

  private static List<Explanation> waiting(ExplainAnswer answer) {
    return answer.explanations().stream().filter(Explanation::isWaiting).toList();
  }

  private static String summary(ExplainAnswer answer) {
    return waiting(answer).stream().map(Explanation::subject).distinct().count()
        + " of "
        + answer.objects()
        + " objects are waiting";
  }

  private static void putSingle(TerminalLines lines, Explanation e, long now) {
    lines.putTitle(ExplanationText.title(e, now), e.cause().rank());
    ExplanationText.putCause(lines, "  ", e);
    putPods(lines, List.of(e));
  }

  private static void putGroup(TerminalLines lines, WaitingGroup group, long now) {
    Explanation first = group.first();
    String noun = NOUNS.getOrDefault(first.subject().kind().kind(), "object");
    lines.putTitle(
        group.members().size()
            + " "
            + (noun.endsWith("s") ? noun + "es" : noun + "s")
            + ": "
            + first.cause().code()
            + (group.oldest() > 0
                ? ", the oldest for " + AgeFormat.format(now - group.oldest())
                : ""),
        first.cause().rank());
    if (group.hasOneMessage()) {
      ExplanationText.putCause(lines, "  ", first);
      putNames(lines, group.members());
    } else {
      lines.put("  Cause   ", first.cause().meaning());
      if (!first.cause().remedy().isEmpty()) {
        lines.put("  To do   ", first.cause().remedy());
      }
      putMessages(lines, group.members());
    }
    putPods(lines, group.members());
  }

  private static void putNames(TerminalLines lines, List<Explanation> members) {
    Map<String, List<String>> byNamespace = new LinkedHashMap<>();
    members.forEach(e ->
        byNamespace
            .computeIfAbsent(e.subject().key().namespace(), n -> new ArrayList<>())
            .add(shortName(e.subject())));
    String heading = "  Objects ";
    for (Map.Entry<String, List<String>> entry : byNamespace.entrySet()) {
      lines.put(
          heading,
          abbreviate(entry.getValue())
              + (entry.getKey().isEmpty() ? "" : " in namespace " + entry.getKey()));
      heading = " ".repeat(heading.length());
    }
  }

  private static void putMessages(TerminalLines lines, List<Explanation> members) {
    String heading = "  Objects ";
    for (Explanation e : members.subList(0, Math.min(MAX_NAMES, members.size()))) {
      lines.put(heading, ExplanationText.name(e.subject()) + ": " + e.message());
      heading = " ".repeat(heading.length());
    }
    if (members.size() > MAX_NAMES) {
      lines.put(heading, "and " + (members.size() - MAX_NAMES) + " more (--flat lists all)");
    }
  }

  private static void putPods(TerminalLines lines, List<Explanation> members) {
    List<String> pods = new ArrayList<>();
    for (Explanation e : members) {
      e.evidence().facts().stream()
          .filter(fact -> fact.group().equals(NamedFact.WAITING_PODS))
          .forEach(fact -> pods.add("pod/" + fact.name()));
    }
    if (!pods.isEmpty()) {
      lines.put("  Pods    ", abbreviate(pods.stream().distinct().toList()));
    }
  }

  private static String abbreviate(List<String> names) {
    return names.size() <= MAX_NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MAX_NAMES))
            + " and "
            + (names.size() - MAX_NAMES)
            + " more";
  }

  private static String shortName(SubjectRef subject) {
    return ExplanationText.shortName(subject.kind()) + "/" + subject.key().name();
  }

  private static void putUnseen(TerminalLines lines, ExplainAnswer answer) {
    if (!answer.unseen().isEmpty()) {
      lines.addBlankLine();
      answer.unseen().forEach(unreadable -> ExplanationText.put(lines, unreadable));
    }
  }

  public static String ofObjects(ExplainAnswer answer, Page page, TextLayout layout) {
    List<Explanation> waiting = waiting(answer);
    List<Explanation> shown = page.of(waiting);
    TerminalLines lines = new TerminalLines(layout.hasColours());
    lines.put("", summary(answer) + (waiting.isEmpty() ? "" : rangeOf(shown, waiting, page)));
    for (Explanation e : shown) {
      lines.addBlankLine();
      putSingle(lines, e, layout.now());
    }
    putUnseen(lines, answer);
    return lines.toString();
  }

  private static String rangeOf(List<Explanation> shown, List<Explanation> waiting, Page page) {
    if (shown.size() == waiting.size()) {
      return ":";
    }
    return shown.isEmpty()
        ? "; no entries after the first " + waiting.size()
        : "; showing %d to %d of %d"
            .formatted(page.offset() + 1, page.offset() + shown.size(), waiting.size());
  }

  public static String ofTable(ExplainAnswer answer, int width, long now) {
    TextTable table =
        new TextTable(width, "NAMESPACE", "NAME", "STATE", "AGE", "REASON", "DEEPEST", "CAUSE");
    for (Explanation e : answer.explanations()) {
      Explanation deepest = e.deepest();
      table.row(
          e.subject().key().namespace(),
          shortName(e.subject()),
          e.state(),
          e.stateSince() > 0 ? AgeFormat.format(now - e.stateSince()) : "",
          e.cause().code(),
          deepest.equals(e) ? "" : shortName(deepest.subject()) + " " + deepest.cause().code(),
          CauseSentence.of(e));
    }
    return table.toString().stripTrailing();
  }

  public static String ofNames(ExplainAnswer answer) {
    return String.join(
        "\n",
        waiting(answer).stream()
            .map(Explanation::subject)
            .distinct()
            .map(subject ->
                shortName(subject)
                    + (subject.key().namespace().isEmpty()
                        ? ""
                        : " -n " + subject.key().namespace()))
            .toList());
  }
}
