package dev.mooring.manager.shadow;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Scenario file of a difference, in the format of {@code conformance/README.md}. Its end state is
 * the cluster's decision; the shadow decides otherwise.
 */
public final class ShadowScenario {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  private static final double SETTLE_SECONDS = 3;
  private static final List<String> CREATION_ORDER =
      List.of(
          Kind.STORAGE_CLASS.kind(),
          Kind.ATTRIBUTES_CLASS.kind(),
          Kind.NODE.kind(),
          Kind.CLAIM.kind(),
          Kind.VOLUME.kind(),
          Kind.ATTACHMENT.kind(),
          Kind.POD.kind());
  private static final List<String> SERVER_FIELDS =
      List.of(
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "generation",
          "managedFields",
          "selfLink",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  private ShadowScenario() {}

  public static String format(UnexplainedDifference difference, String name) {
    JsonObject scenario = new JsonObject();
    scenario.addProperty("name", "shadow/" + name);
    scenario.addProperty("about", DifferenceText.summary(difference.finding()));
    JsonArray objects = new JsonArray();
    JsonArray steps = new JsonArray();
    Map<String, String> references = new LinkedHashMap<>();
    for (JsonObject object : sorted(difference.objects())) {
      references.put(WholeObjects.textAt(object, "metadata", "uid"), reference(object));
      objects.add(clean(object.deepCopy()));
      if (object.getAsJsonObject("metadata").has("deletionTimestamp")) {
        steps.add(deletion(object));
      }
    }
    steps.add(settling());
    scenario.add("objects", objects);
    scenario.add("steps", steps);
    return GSON.toJson(withReferences(scenario, references)) + "\n";
  }

  private static List<JsonObject> sorted(List<JsonObject> objects) {
    List<JsonObject> sorted = new ArrayList<>(objects);
    sorted.sort(
        Comparator.<JsonObject>comparingInt(
                object -> CREATION_ORDER.indexOf(WholeObjects.textAt(object, "kind")))
            .thenComparing(object -> WholeObjects.textAt(object, "metadata", "creationTimestamp")));
    return sorted;
  }

  private static String reference(JsonObject object) {
    String namespace = WholeObjects.textAt(object, "metadata", "namespace");
    return WholeObjects.textAt(object, "kind")
        + "/"
        + (namespace.isEmpty() ? "" : namespace + "/")
        + WholeObjects.textAt(object, "metadata", "name");
  }

  private static JsonObject clean(JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    SERVER_FIELDS.forEach(metadata::remove);
    if (metadata.get("annotations") instanceof JsonObject annotations) {
      annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
    }
    if (object.get("spec") instanceof JsonObject spec
        && spec.get("claimRef") instanceof JsonObject claimRef) {
      claimRef.remove("resourceVersion");
    }
    return object;
  }

  private static JsonObject deletion(JsonObject object) {
    JsonObject target = new JsonObject();
    target.add("kind", object.get("kind"));
    target.add("name", object.getAsJsonObject("metadata").get("name"));
    if (object.getAsJsonObject("metadata").has("namespace")) {
      target.add("namespace", object.getAsJsonObject("metadata").get("namespace"));
    }
    JsonObject step = new JsonObject();
    step.add("delete", target);
    return step;
  }

  private static JsonObject settling() {
    JsonObject step = new JsonObject();
    step.addProperty("settle", SETTLE_SECONDS);
    return step;
  }

  private static JsonElement withReferences(JsonObject scenario, Map<String, String> references) {
    String text = scenario.toString();
    for (Map.Entry<String, String> entry : references.entrySet()) {
      if (!entry.getKey().isEmpty()) {
        text =
            text.replace('"' + entry.getKey() + '"', "\"$uid:" + entry.getValue() + '"')
                .replace(entry.getKey(), "${uid:" + entry.getValue() + "}");
      }
    }
    return JsonParser.parseString(text);
  }
}
