package dev.mooring.manager.shadow;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.manager.shadow.ShadowReport.ClassResult;
import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.PairedDifference;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Formats a report as JSON. The member names are part of the interface. */
public final class ShadowJson {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ShadowJson() {}

  public static String format(ShadowReport report) {
    JsonObject root = new JsonObject();
    root.addProperty("decisions", report.decisionCount());
    root.addProperty("unexplained", report.unexplainedCount());
    JsonObject classes = new JsonObject();
    report
        .classes()
        .forEach(
            (decisionClass, result) -> classes.add(decisionClass.toString(), describe(result)));
    root.add("classes", classes);
    JsonArray differences = new JsonArray();
    report.unexplained().forEach(difference -> differences.add(describe(difference)));
    root.add("differences", differences);
    return GSON.toJson(root);
  }

  private static JsonObject describe(ClassResult result) {
    JsonObject object = new JsonObject();
    object.addProperty("equal", result.equal());
    object.addProperty("later", result.later());
    JsonObject rows = new JsonObject();
    new TreeMap<>(result.onPurpose()).forEach(rows::addProperty);
    object.add("onPurpose", rows);
    object.addProperty("unexplained", result.unexplained());
    object.addProperty("undecided", result.undecided());
    object.addProperty("p50Seconds", result.typicalDelay().toMillis() / 1000.0);
    object.addProperty("p99Seconds", result.longDelay().toMillis() / 1000.0);
    return object;
  }

  private static JsonObject describe(UnexplainedDifference difference) {
    PairedDifference finding = difference.finding();
    JsonObject object = new JsonObject();
    object.addProperty("class", finding.decisionClass().toString());
    object.addProperty("object", finding.target());
    object.addProperty(
        "form", finding.difference().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    finding
        .intent()
        .ifPresent(intent -> {
          object.addProperty("controller", intent.origin().controller());
          object.addProperty("decision", intent.origin().decision());
          object.add("mooring", describe(intent.changes()));
        });
    object.add("cluster", describe(finding.facts()));
    JsonArray objects = new JsonArray();
    difference.objects().forEach(objects::add);
    object.add("objects", objects);
    return object;
  }

  private static JsonObject describe(Map<FactKey, String> facts) {
    JsonObject object = new JsonObject();
    new TreeMap<>(facts).forEach((fact, value) -> object.addProperty(fact.toString(), value));
    return object;
  }
}
