package dev.mooring.manager.explain;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.mooring.explain.Cause;
import dev.mooring.reconcile.Compat;
import dev.mooring.time.Time;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Catalogue of all reasons; source of docs/reasons.md. */
public final class ReasonCatalogue {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ReasonCatalogue() {}

  public static List<Cause> allCauses(Time time) {
    return new ClusterExplainers(new EmptyClusterView(), Compat.MOORING, time)
        .catalogue()
        .distinct()
        .sorted(Comparator.comparing(Cause::rank).thenComparing(Cause::code))
        .toList();
  }

  public static String json(List<Cause> causes) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("apiVersion", ExplanationTree.VERSION);
    tree.put("kind", "ReasonList");
    tree.put("items", causes.stream().map(ExplanationTree::tree).toList());
    return GSON.toJson(tree);
  }

  public static String text(List<Cause> causes) {
    TerminalLines lines = new TerminalLines();
    for (Cause cause : causes) {
      if (!cause.equals(causes.getFirst())) {
        lines.addBlankLine();
      }
      lines.put("", cause.code() + " (" + cause.rank().token() + "): " + cause.meaning());
      if (!cause.remedy().isEmpty()) {
        lines.put("  Remedy  ", cause.remedy());
      }
    }
    return lines.toString();
  }
}
