package dev.mooring.manager.explain;

import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.model.Kind;
import java.util.List;

final class EvidenceText {
  private static final int HOLDERS = 10;
  private static final int NAME = 24;

  private EvidenceText() {}

  static void measures(TerminalLines lines, List<NamedFact> measures) {
    String group = "";
    for (NamedFact measure : measures) {
      if (!measure.what().equals(group)) {
        group = measure.what();
        lines.gap();
        lines.put("", NamedFact.title(group));
      }
      if (measure.name().length() < NAME) {
        lines.put(("  %-" + NAME + "s").formatted(measure.name()), measure.value());
      } else {
        lines.put("  ", measure.name());
        lines.put(" ".repeat(2 + NAME), measure.value());
      }
    }
  }

  static void holders(TerminalLines lines, Kind<?> kind, List<ObjectHolder> holders) {
    if (holders.isEmpty()) {
      return;
    }
    lines.gap();
    lines.put(
        "",
        (kind.equals(Kind.NODE) ? "Volumes with waiting pods" : "Held by")
            + (holders.size() > HOLDERS
                ? " (" + HOLDERS + " of " + holders.size() + "; all: -o json)"
                : ""));
    for (ObjectHolder holder : holders.subList(0, Math.min(HOLDERS, holders.size()))) {
      lines.put("  ", holder.what() + " " + holder.name());
      if (!holder.note().isEmpty()) {
        lines.put("      ", holder.note());
      }
    }
  }
}
