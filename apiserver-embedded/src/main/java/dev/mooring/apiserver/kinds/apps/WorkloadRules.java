package dev.mooring.apiserver.kinds.apps;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.pod.PodSpecs;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules that workloads with a selector and a pod template share. */
final class WorkloadRules {
  private static final Pattern PERCENT = Pattern.compile("[0-9]+%");

  private WorkloadRules() {}

  static void validateSelector(ValidatedObject spec, String kind) {
    JsonElement selector = spec.value("selector");
    ValidatedObject template = spec.getChild("template");
    JsonObject labels = template.getChild("metadata").getChild("labels").object();
    if (selector == null) {
      spec.addRequired("selector", "");
    } else {
      FieldErrors selectorErrors = new FieldErrors();
      LabelSelectors.validate(selector, spec.path("selector"), selectorErrors);
      if (!selectorErrors.isEmpty()) {
        spec.addInvalid("selector", kind.equals("statefulset") ? "" : "invalid label selector");
        spec.errors().getCauses().addAll(selectorErrors.getCauses());
        return; // an invalid selector cannot be matched
      }
      ValidatedObject specSelector = spec.getChild("selector");
      if (specSelector.isEmpty("matchLabels") && specSelector.isEmpty("matchExpressions")) {
        spec.addInvalid("selector", "empty selector is invalid for " + kind);
      }
    }
    if (selector == null
        || !LabelSelectors.isMatching(spec.getChild("selector").object(), labels)) {
      spec.errors()
          .addInvalid(
              template.path("metadata.labels"),
              labels.isEmpty() ? "null" : labels,
              "`selector` does not match template `labels`");
    }
  }

  static void validateTemplate(ValidatedObject spec, String kind) {
    ValidatedObject template = spec.getChild("template");
    validateTemplateMetadata(template);
    ValidatedObject podSpec = template.getChild("spec");
    PodSpecs.validate(podSpec, "");
    if (List.of("OnFailure", "Never").contains(podSpec.text("restartPolicy"))) {
      podSpec.checkOneOf("restartPolicy", "Always");
    }
    if (podSpec.has("activeDeadlineSeconds")) {
      podSpec.addForbidden(
          "activeDeadlineSeconds", "activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  static void validateTemplateMetadata(ValidatedObject template) {
    ValidatedObject metadata = template.getChild("metadata");
    ObjectNames.validateLabels(
        metadata.value("labels"), template.path("labels"), template.errors());
    ObjectNames.validateAnnotations(
        metadata.value("annotations"), template.path("annotations"), template.errors());
  }

  static void validateDeployment(ValidatedObject spec) {
    ValidatedObject strategy = spec.getChild("strategy");
    switch (strategy.text("type")) {
      case "Recreate" -> {
        if (strategy.has("rollingUpdate")) {
          strategy.addForbidden(
              "rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" -> validateRollingUpdate(strategy.getChild("rollingUpdate"));
      default ->
          spec.errors()
              .addNotSupported(
                  strategy.field(),
                  formatStrategy(strategy.text("type")),
                  List.of("Recreate", "RollingUpdate"));
    }
    spec.checkAtLeast("minReadySeconds", 0);
    spec.checkAtLeast("revisionHistoryLimit", 0);
    spec.checkAtLeast("progressDeadlineSeconds", 0);
    if (spec.has("progressDeadlineSeconds")
        && spec.number("progressDeadlineSeconds") <= spec.number("minReadySeconds")) {
      spec.addInvalid("progressDeadlineSeconds", "must be greater than minReadySeconds");
    }
  }

  private static JsonObject formatStrategy(String type) {
    return newObject("Type", type, "RollingUpdate", JsonNull.INSTANCE);
  }

  private static void validateRollingUpdate(ValidatedObject rolling) {
    validateCountOrPercent(rolling, "maxUnavailable");
    validateCountOrPercent(rolling, "maxSurge");
    if (parseCount(rolling.value("maxUnavailable")) == 0
        && parseCount(rolling.value("maxSurge")) == 0) {
      rolling.addInvalid("maxUnavailable", "may not be 0 when `maxSurge` is 0");
    }
    checkPercentLimit(rolling, "maxUnavailable");
  }

  private static void validateCountOrPercent(ValidatedObject parent, String field) {
    JsonElement value = parent.value(field);
    if (value == null) {
      return;
    }
    if (value.getAsJsonPrimitive().isNumber()) {
      parent.checkAtLeast(field, 0);
    } else if (!PERCENT.matcher(value.getAsString()).matches()) {
      parent.addInvalid(
          field, "a valid percent string must be a numeric string followed by an ending '%'");
    }
  }

  // Returns the number before a percent sign; 0 if the value is absent or no number.
  private static long parseCount(@Nullable JsonElement value) {
    if (value == null) {
      return 0;
    }
    String digits = value.getAsString().replace("%", "");
    return digits.matches("-?\\d{1,9}") ? Long.parseLong(digits) : 0;
  }

  private static void checkPercentLimit(ValidatedObject parent, String field) {
    JsonElement value = parent.value(field);
    if (value != null && value.getAsString().endsWith("%") && parseCount(value) > 100) {
      parent.addInvalid(field, "must not be greater than 100%");
    }
  }

  static void validateStatefulSet(ValidatedObject spec) {
    if (!List.of("OrderedReady", "Parallel").contains(spec.text("podManagementPolicy"))) {
      spec.addInvalid("podManagementPolicy", "must be 'OrderedReady' or 'Parallel'");
    }
    ValidatedObject strategy = spec.getChild("updateStrategy");
    switch (strategy.text("type")) {
      case "OnDelete" -> {
        if (strategy.has("rollingUpdate")) {
          strategy.addInvalid("rollingUpdate", "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" ->
          strategy.ifPresent(
              "rollingUpdate",
              rolling -> {
                rolling.checkAtLeast("partition", 0);
                validateCountOrPercent(rolling, "maxUnavailable");
                if (rolling.has("maxUnavailable")
                    && parseCount(rolling.value("maxUnavailable")) == 0) {
                  rolling.addInvalid("maxUnavailable", "cannot be 0");
                }
                checkPercentLimit(rolling, "maxUnavailable");
              });
      default ->
          spec.errors()
              .addInvalid(
                  strategy.field(),
                  formatStrategy(strategy.text("type")),
                  "must be 'RollingUpdate' or 'OnDelete'");
    }
    ValidatedObject retention = spec.getChild("persistentVolumeClaimRetentionPolicy");
    retention.checkOneOf("whenDeleted", "Retain", "Delete");
    retention.checkOneOf("whenScaled", "Retain", "Delete");
    spec.checkAtLeast("minReadySeconds", 0);
    spec.ifPresent("ordinals", ordinals -> ordinals.checkAtLeast("start", 0));
  }

  static JsonObject copyWithClaimVolumes(JsonObject spec) {
    JsonObject copy = spec.deepCopy();
    JsonObject podSpec = JsonBodies.getOrAddChild(copy, "template", "spec");
    podSpec.remove("subdomain");
    podSpec.remove("hostname");
    JsonArray volumes = new JsonArray();
    Set<String> names = new HashSet<>();
    for (ValidatedObject claim :
        ValidatedObject.forReading(copy).getChildren("volumeClaimTemplates")) {
      String name = claim.text("metadata", "name");
      if (!names.add(name)) {
        continue;
      }
      JsonObject volume = newObject("name", name);
      JsonBodies.getOrAddChild(volume, "persistentVolumeClaim").addProperty("claimName", name);
      volumes.add(volume);
    }
    for (ValidatedObject volume : ValidatedObject.forReading(podSpec).getChildren("volumes")) {
      if (!names.contains(volume.text("name"))) {
        volumes.add(volume.object());
      }
    }
    podSpec.add("volumes", volumes);
    return copy;
  }

  /** Validates that no count is negative and none of the fields exceeds replicas. */
  static void validateCounts(ValidatedObject status, List<String> fields) {
    status.checkAtLeast("replicas", 0);
    fields.forEach(part -> status.checkAtLeast(part, 0));
    status.checkAtLeast("observedGeneration", 0);
    status.checkAtLeast("collisionCount", 0);
    for (String field : fields) {
      if (status.number(field) > status.number("replicas")) {
        status.addInvalid(field, "cannot be greater than status.replicas");
      }
    }
    if (status.number("availableReplicas") > status.number("readyReplicas")) {
      status.addInvalid("availableReplicas", "cannot be greater than readyReplicas");
    }
  }
}
