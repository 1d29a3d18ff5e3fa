package dev.mooring.manager.explain;

import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.model.Kind;
import java.util.List;

final class EvidenceText {
  private static final int MAX_HOLDERS = 10;
  private static final int NAME_WIDTH = 24;

  private EvidenceText() {}

  static void putMeasures(TerminalLines lines, List<NamedFact> measures) {
    String group = "";
    for (NamedFact measure : measures) {
      if (!measure.group().equals(group)) {
        group = measure.group();
        lines.addBlankLine();
        lines.put("", NamedFact.title(group));
      }
      if (measure.name().length() < NAME_WIDTH) {
        lines.put(("  %-" + NAME_WIDTH + "s").formatted(measure.name()), measure.value());
      } else {
        lines.put("  ", measure.name());
        lines.put(" ".repeat(2 + NAME_WIDTH), measure.value());
      }
    }
  }

  static void putHolders(TerminalLines lines, Kind<?> kind, List<ObjectHolder> holders) {
    if (holders.isEmpty()) {
      return;
    }
    lines.addBlankLine();
    lines.put(
        "",
        (kind.equals(Kind.NODE) ? "Volumes with waiting pods" : "Held by")
            + (holders.size() > MAX_HOLDERS
                ? " (" + MAX_HOLDERS + " of " + holders.size() + "; all: -o json)"
                : ""));
    for (ObjectHolder holder : holders.subList(0, Math.min(MAX_HOLDERS, holders.size()))) {
      lines.put("  ", holder.type() + " " + holder.name());
      if (!holder.releaseCondition().isEmpty()) {
        lines.put("      ", holder.releaseCondition());
      }
    }
  }
}
