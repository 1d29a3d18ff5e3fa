package dev.mooring.manager.danger;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.manager.danger.ClaimDanger.DangerRemedy;
import dev.mooring.manager.danger.DangerSearch.TakenAct;
import dev.mooring.manager.explain.ExplanationTree;
import java.util.List;

/** A report for programs. */
public final class DangerTree {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  private DangerTree() {}

  public static String json(DangerReport report) {
    JsonObject tree = new JsonObject();
    tree.addProperty("apiVersion", ExplanationTree.VERSION);
    tree.addProperty("kind", "DangerReport");
    tree.addProperty("maxActs", DangerSearch.MAX_ACTS);
    JsonArray claims = new JsonArray();
    report.claims().forEach(danger -> claims.add(of(danger)));
    tree.add("claims", claims);
    tree.add("assumptions", GSON.toJsonTree(report.assumptions()));
    return GSON.toJson(tree);
  }

  private static JsonObject of(ClaimDanger danger) {
    JsonObject tree = new JsonObject();
    tree.addProperty("namespace", danger.claim().namespace());
    tree.addProperty("name", danger.claim().name());
    tree.addProperty("volume", danger.volume().map(volume -> volume.meta().name()).orElse(""));
    tree.addProperty(
        "policy", danger.volume().map(volume -> volume.reclaimPolicy().toString()).orElse(""));
    tree.addProperty("acts", danger.acts().isPresent() ? danger.acts().getAsInt() : null);
    tree.add("sequence", sequence(danger.found().destruction().orElse(List.of())));
    tree.add("destroyedAfterDelay", sequence(danger.found().condemnation().orElse(List.of())));
    JsonArray remedies = new JsonArray();
    for (DangerRemedy remedy : danger.remedies()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("command", remedy.command());
      entry.addProperty(
          "actsAfterwards", remedy.acts().isPresent() ? remedy.acts().getAsInt() : null);
      remedies.add(entry);
    }
    tree.add("remedies", remedies);
    return tree;
  }

  private static JsonArray sequence(List<TakenAct> acts) {
    JsonArray sequence = new JsonArray();
    for (TakenAct taken : acts) {
      JsonObject entry = new JsonObject();
      entry.addProperty("act", taken.act().text());
      entry.addProperty("command", taken.act().command());
      entry.add("consequences", GSON.toJsonTree(taken.consequences()));
      sequence.add(entry);
    }
    return sequence;
  }
}
