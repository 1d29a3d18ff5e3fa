package dev.mooring.manager.danger;

import dev.mooring.manager.danger.ClaimDanger.DangerRemedy;
import dev.mooring.manager.danger.DangerSearch.TakenAct;
import dev.mooring.model.Volume;
import dev.mooring.text.TextTable;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** A report for people. */
public final class DangerText {
  private static final String NONE = "none";

  private DangerText() {}

  public static String of(DangerReport report) {
    StringJoiner text = new StringJoiner("\n\n");
    if (report.isSingle()) {
      report.claims().forEach(danger -> text.add(describe(danger)));
    } else {
      if (!report.claims().isEmpty()) {
        text.add(table(report).toString().stripTrailing());
      }
      text.add(report.claims().isEmpty() ? "There are no claims." : summary(report));
    }
    text.add("Assumptions:" + lines(report.assumptions()));
    return text.toString();
  }

  private static TextTable table(DangerReport report) {
    TextTable table = new TextTable(TextTable.UNLIMITED, "ACTS", "CLAIM", "POLICY", "SEQUENCE");
    for (ClaimDanger danger : report.claims()) {
      table.row(
          danger.volume().isEmpty() ? "-" : acts(danger),
          danger.claim().toString(),
          danger.volume().map(volume -> volume.reclaimPolicy().toString()).orElse(""),
          sequence(danger));
    }
    return table;
  }

  public static String acts(ClaimDanger danger) {
    return danger.acts().isPresent() ? String.valueOf(danger.acts().getAsInt()) : NONE;
  }

  public static String sequence(ClaimDanger danger) {
    if (danger.volume().isEmpty()) {
      return "the claim has no volume";
    }
    if (danger.found().destruction().isPresent()) {
      List<TakenAct> acts = danger.found().destruction().get();
      return acts.isEmpty() ? "its data is being destroyed" : join(acts);
    }
    return danger
        .found()
        .condemnation()
        .map(acts -> "destroyed after a delay: " + join(acts))
        .orElse("");
  }

  static String join(List<TakenAct> acts) {
    return String.join(", then ", acts.stream().map(taken -> taken.act().text()).toList());
  }

  private static String summary(DangerReport report) {
    StringJoiner parts = new StringJoiner(", ");
    for (int acts = 0; acts <= DangerSearch.MAX_ACTS; acts++) {
      add(report.countBelow(acts + 1) - report.countBelow(acts), "with " + acts(acts), parts);
    }
    long empty = report.claims().stream().filter(danger -> danger.volume().isEmpty()).count();
    long inDanger = report.countBelow(DangerSearch.MAX_ACTS + 1);
    add(
        report.claims().size() - inDanger - empty,
        "with no sequence of " + acts(DangerSearch.MAX_ACTS),
        parts);
    add(empty, "without data", parts);
    return "%,d claims: %s.".formatted(report.claims().size(), parts);
  }

  private static void add(long count, String text, StringJoiner parts) {
    if (count > 0) {
      parts.add("%,d %s".formatted(count, text));
    }
  }

  private static String acts(int number) {
    return number + (number == 1 ? " act" : " acts");
  }

  private static String describe(ClaimDanger danger) {
    if (danger.volume().isEmpty()) {
      return "claim %s has no volume, and so no data".formatted(danger.claim());
    }
    Volume volume = danger.volume().get();
    String subject =
        "claim %s (volume %s, class %s, policy %s): "
            .formatted(
                danger.claim(),
                volume.meta().name(),
                volume.storageClass().isEmpty() ? "\"\"" : volume.storageClass(),
                volume.reclaimPolicy());
    Optional<List<TakenAct>> acts = danger.found().destruction();
    StringBuilder text = new StringBuilder(subject);
    if (acts.isEmpty()) {
      text.append("no sequence of %s destroys its data".formatted(acts(DangerSearch.MAX_ACTS)));
    } else if (acts.get().isEmpty()) {
      text.append("its data is being destroyed");
    } else {
      int count = acts.get().size();
      text.append("%s its data".formatted(acts(count) + (count == 1 ? " destroys" : " destroy")));
      append(acts.get(), text);
    }
    danger
        .found()
        .condemnation()
        .ifPresent(sequence -> {
          text.append("\n\nIts data is destroyed after a delay ('mooring undo' restores it):");
          append(sequence, text);
        });
    for (DangerRemedy remedy : danger.remedies()) {
      text.append("\n\nRemedy: ").append(remedy.command());
      text.append("\n  Afterwards ").append(effect(remedy)).append('.');
    }
    return text.toString();
  }

  private static String effect(DangerRemedy remedy) {
    return remedy.acts().isPresent()
        ? "its destruction needs " + acts(remedy.acts().getAsInt())
        : "no sequence of %s destroys its data".formatted(acts(DangerSearch.MAX_ACTS));
  }

  private static void append(List<TakenAct> acts, StringBuilder text) {
    int number = 1;
    for (TakenAct taken : acts) {
      text.append("\n  ").append(number++).append(". ").append(taken.act().text());
      taken.consequences().forEach(line -> text.append("\n       ").append(line));
    }
  }

  private static String lines(List<String> lines) {
    return lines.isEmpty() ? "" : "\n  " + String.join("\n  ", lines);
  }
}
