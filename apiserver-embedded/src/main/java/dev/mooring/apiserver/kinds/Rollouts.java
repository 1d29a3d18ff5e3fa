package dev.mooring.apiserver.kinds;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is wrong with how pods of a template are made, replaced and counted. */
final class Rollouts {
  private static final Pattern PERCENT = Pattern.compile("[0-9]+%");

  private Rollouts() {}

  /** The selector, and that it selects what is made. */
  static void selector(Place spec, String kind) {
    JsonElement selector = spec.value("selector");
    Place template = spec.in("template");
    JsonObject labels = template.in("metadata").in("labels").object();
    if (selector == null) {
      spec.required("selector", "");
    } else {
      FieldErrors flaws = new FieldErrors();
      Selectable.validate(selector, spec.path("selector"), flaws);
      if (!flaws.isEmpty()) {
        spec.invalid("selector", kind.equals("statefulset") ? "" : "invalid label selector");
        spec.errors().all().addAll(flaws.all());
        return; // what it would select nobody can say
      }
      Place wanted = spec.in("selector");
      if (wanted.isEmpty("matchLabels") && wanted.isEmpty("matchExpressions")) {
        spec.invalid("selector", "empty selector is invalid for " + kind);
      }
    }
    if (selector == null || !selects(spec.in("selector"), labels)) {
      spec.errors()
          .invalid(
              template.path("metadata.labels"),
              labels.isEmpty() ? "null" : labels,
              "`selector` does not match template `labels`");
    }
  }

  private static boolean selects(Place selector, JsonObject labels) {
    for (Map.Entry<String, JsonElement> label : selector.in("matchLabels").object().entrySet()) {
      if (!label.getValue().equals(labels.get(label.getKey()))) {
        return false;
      }
    }
    for (Place expression : selector.all("matchExpressions")) {
      JsonElement value = labels.get(expression.text("key"));
      boolean listed = value != null && expression.strings("values").contains(value.getAsString());
      boolean fits =
          switch (expression.text("operator")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> true;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** The pods that are made. */
  static void template(Place spec, String kind) {
    templateMetadata(spec);
    Place pods = spec.in("template").in("spec");
    PodSpecs.validate(pods, "");
    if (List.of("OnFailure", "Never").contains(pods.text("restartPolicy"))) {
      pods.oneOf("restartPolicy", "Always");
    }
    if (pods.has("activeDeadlineSeconds")) {
      pods.forbidden(
          "activeDeadlineSeconds", "activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  /** The labels and annotations of the pods that are made. */
  static void templateMetadata(Place spec) {
    Place template = spec.in("template");
    Place metadata = template.in("metadata");
    ObjectNames.labels(metadata.value("labels"), template.path("labels"), spec.errors());
    ObjectNames.annotations(
        metadata.value("annotations"), template.path("annotations"), spec.errors());
  }

  /** How a Deployment replaces pods. */
  static void deployment(Place spec) {
    Place strategy = spec.in("strategy");
    switch (strategy.text("type")) {
      case "Recreate" -> {
        if (strategy.has("rollingUpdate")) {
          strategy.forbidden(
              "rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" -> rolling(strategy.in("rollingUpdate"));
      default ->
          spec.errors()
              .notSupported(
                  strategy.field(),
                  told(strategy.text("type")),
                  List.of("Recreate", "RollingUpdate"));
    }
    spec.atLeast("minReadySeconds", 0);
    spec.atLeast("revisionHistoryLimit", 0);
    spec.atLeast("progressDeadlineSeconds", 0);
    if (spec.has("progressDeadlineSeconds")
        && spec.number("progressDeadlineSeconds") <= spec.number("minReadySeconds")) {
      spec.invalid("progressDeadlineSeconds", "must be greater than minReadySeconds");
    }
  }

  private static JsonObject told(String type) {
    JsonObject told = new JsonObject();
    told.addProperty("Type", type);
    told.add("RollingUpdate", JsonNull.INSTANCE);
    return told;
  }

  private static void rolling(Place rolling) {
    countOrPercent(rolling, "maxUnavailable");
    countOrPercent(rolling, "maxSurge");
    if (count(rolling.value("maxUnavailable")) == 0 && count(rolling.value("maxSurge")) == 0) {
      rolling.invalid("maxUnavailable", "may not be 0 when `maxSurge` is 0");
    }
    notAboveAll(rolling, "maxUnavailable");
  }

  private static void countOrPercent(Place place, String field) {
    JsonElement value = place.value(field);
    if (value == null) {
      return;
    }
    if (value.getAsJsonPrimitive().isNumber()) {
      place.atLeast(field, 0);
    } else if (!PERCENT.matcher(value.getAsString()).matches()) {
      place.invalid(
          field, "a valid percent string must be a numeric string followed by an ending '%'");
    }
  }

  private static long count(@Nullable JsonElement value) {
    if (value == null) {
      return 0;
    }
    String digits = value.getAsString().replace("%", "");
    return digits.matches("-?\\d{1,9}") ? Long.parseLong(digits) : 0;
  }

  private static void notAboveAll(Place place, String field) {
    JsonElement value = place.value(field);
    if (value != null && value.getAsString().endsWith("%") && count(value) > 100) {
      place.invalid(field, "must not be greater than 100%");
    }
  }

  /** How a StatefulSet makes and replaces pods. */
  static void statefulSet(Place spec) {
    if (!List.of("OrderedReady", "Parallel").contains(spec.text("podManagementPolicy"))) {
      spec.invalid("podManagementPolicy", "must be 'OrderedReady' or 'Parallel'");
    }
    Place strategy = spec.in("updateStrategy");
    switch (strategy.text("type")) {
      case "OnDelete" -> {
        if (strategy.has("rollingUpdate")) {
          strategy.invalid("rollingUpdate", "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" ->
          strategy.given(
              "rollingUpdate",
              rolling -> {
                rolling.atLeast("partition", 0);
                countOrPercent(rolling, "maxUnavailable");
                if (rolling.has("maxUnavailable") && count(rolling.value("maxUnavailable")) == 0) {
                  rolling.invalid("maxUnavailable", "cannot be 0");
                }
                notAboveAll(rolling, "maxUnavailable");
              });
      default ->
          spec.errors()
              .invalid(
                  strategy.field(),
                  told(strategy.text("type")),
                  "must be 'RollingUpdate' or 'OnDelete'");
    }
    Place retention = spec.in("persistentVolumeClaimRetentionPolicy");
    retention.oneOf("whenDeleted", "Retain", "Delete");
    retention.oneOf("whenScaled", "Retain", "Delete");
    spec.atLeast("minReadySeconds", 0);
    spec.given("ordinals", ordinals -> ordinals.atLeast("start", 0));
  }

  /** The pods as they look with the claims that a StatefulSet makes for them. */
  static JsonObject withClaims(JsonObject spec) {
    JsonObject copy = spec.deepCopy();
    JsonObject pods = JsonBodies.child(copy, "template", "spec");
    pods.remove("subdomain");
    pods.remove("hostname");
    JsonArray volumes = new JsonArray();
    Set<String> names = new HashSet<>();
    for (Place claim : new Place(copy, "", new FieldErrors()).all("volumeClaimTemplates")) {
      String name = claim.text("metadata", "name");
      if (!names.add(name)) {
        continue;
      }
      JsonObject volume = new JsonObject();
      volume.addProperty("name", name);
      JsonBodies.child(volume, "persistentVolumeClaim").addProperty("claimName", name);
      volumes.add(volume);
    }
    for (Place volume : new Place(pods, "", new FieldErrors()).all("volumes")) {
      if (!names.contains(volume.text("name"))) {
        volumes.add(volume.object());
      }
    }
    pods.add("volumes", volumes);
    return copy;
  }

  /** Counts in a status: none is negative, and none is more than there are. */
  static void counts(Place status, List<String> parts) {
    status.atLeast("replicas", 0);
    parts.forEach(part -> status.atLeast(part, 0));
    status.atLeast("observedGeneration", 0);
    status.atLeast("collisionCount", 0);
    for (String part : parts) {
      if (status.number(part) > status.number("replicas")) {
        status.invalid(part, "cannot be greater than status.replicas");
      }
    }
    if (status.number("availableReplicas") > status.number("readyReplicas")) {
      status.invalid("availableReplicas", "cannot be greater than readyReplicas");
    }
  }
}
