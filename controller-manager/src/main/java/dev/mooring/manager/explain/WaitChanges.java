package dev.mooring.manager.explain;

import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes between two answers, one line for each object: {@code 09:30:12 pvc/data …}. */
public final class WaitChanges {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private WaitChanges() {}

  /** Returns the lines; empty if no state, reason or next step has changed. */
  public static List<String> between(ExplainAnswer earlier, ExplainAnswer later, Instant now) {
    Map<SubjectRef, String> before = describe(earlier);
    Map<SubjectRef, String> after = describe(later);
    List<String> lines = new ArrayList<>();
    after.forEach((subject, text) -> {
      if (!text.equals(before.get(subject))) {
        lines.add(line(now, subject, text));
      }
    });
    before.keySet().stream()
        .filter(subject -> !after.containsKey(subject))
        .forEach(subject -> lines.add(line(now, subject, "no longer waits")));
    return lines;
  }

  private static String line(Instant now, SubjectRef subject, String text) {
    TerminalLines lines = new TerminalLines();
    lines.put(TIME.format(now) + " ", ExplanationText.name(subject) + ": " + text);
    return lines.toString();
  }

  private static Map<SubjectRef, String> describe(ExplainAnswer answer) {
    Map<SubjectRef, String> texts = new LinkedHashMap<>();
    for (Explanation e : answer.explanations()) {
      texts.merge(
          e.subject(),
          e.state()
              + (e.state().equals(e.cause().code()) ? "" : ": " + e.cause().code())
              + ": "
              + CauseSentence.of(e)
              + (e.isWaiting() ? "; next: " + e.nextStep().sentence() : ""),
          (first, second) -> first + "; " + second);
    }
    return texts;
  }
}
