package dev.mooring.manager.simulate;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.mooring.explain.Explanation;
import dev.mooring.manager.explain.ExplanationTree;

/** A report for programs. */
public final class ReportTree {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ReportTree() {}

  public static String json(SimulationReport report) {
    JsonObject tree = new JsonObject();
    tree.addProperty("apiVersion", ExplanationTree.VERSION);
    tree.addProperty("kind", "SimulationReport");
    tree.add("dataDestroyed", GSON.toJsonTree(report.losses()));
    tree.add("destroyedWithoutChange", GSON.toJsonTree(report.lossesWithoutChange()));
    tree.add("changes", GSON.toJsonTree(report.changes()));
    tree.add(
        "waiting",
        GSON.toJsonTree(
            report.waiting().explanations().stream()
                .filter(Explanation::isWaiting)
                .map(ExplanationTree::tree)
                .toList()));
    tree.addProperty("waitingWithoutChange", report.waitingBefore());
    tree.addProperty("apiWrites", report.writes());
    tree.addProperty("simulatedSeconds", report.elapsed().toSeconds());
    tree.add("assumptions", GSON.toJsonTree(report.assumptions()));
    return GSON.toJson(tree);
  }
}
