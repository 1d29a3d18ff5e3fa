package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.SchedulingRules;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;

final class PodUpdates {
  private static final List<String> CONTAINER_LISTS = List.of("containers", "initContainers");
  private static final String REQUIRED_TERMS = "requiredDuringSchedulingIgnoredDuringExecution";

  private PodUpdates() {}

  static ValidatedObject validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    PodSpecs.validate(spec, textAt(object, "metadata", "name"));
    PodSpecs.validateTokens(spec);
    CONTAINER_LISTS.forEach(list -> spec.forEachChild(list, ContainerRules::rejectImageWhitespace));
    return spec;
  }

  static void validate(JsonObject object, JsonObject old, FieldErrors errors) {
    ValidatedObject spec = validate(object, errors);
    ValidatedObject oldSpec = ValidatedObject.forReading(old, "spec");
    for (String list : CONTAINER_LISTS) {
      if (spec.getChildren(list).size() != oldSpec.getChildren(list).size()) {
        spec.addForbidden(list, "pod updates may not add or remove containers");
        return;
      }
      spec.forEachChild(
          list,
          container -> { // Kubernetes validates it twice
            container.requireMembers("image");
            ContainerRules.rejectImageWhitespace(container);
          });
    }
    if (!validateDeadline(spec, oldSpec)) {
      return;
    }
    if (validateOldTolerations(spec, oldSpec)) {
      SchedulingRules.validateTolerations(spec);
    }
    validateGates(spec, oldSpec);
    if (spec.object().equals(oldSpec.object())) {
      return;
    }
    JsonObject restoredSpec = resetMutableFields(spec.object(), oldSpec.object());
    if (!oldSpec.isEmpty("schedulingGates")) {
      validateGatedChange(restoredSpec, spec, oldSpec);
    }
    if (!restoredSpec.equals(oldSpec.object())) {
      errors.addForbidden(
          "spec",
          "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
              + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`");
    }
  }

  // Returns false after an error that ends the validation, as in Kubernetes.
  private static boolean validateDeadline(ValidatedObject spec, ValidatedObject oldSpec) {
    String field = "activeDeadlineSeconds";
    if (!spec.has(field)) {
      if (oldSpec.has(field)) {
        spec.addInvalid(
            field, JsonNull.INSTANCE, "must not update from a positive integer to nil value");
      }
      return true;
    }
    if (spec.number(field) < 0 || spec.number(field) > Integer.MAX_VALUE) {
      spec.addInvalid(field, "must be between 0 and 2147483647, inclusive");
      return false;
    }
    if (oldSpec.has(field) && spec.number(field) > oldSpec.number(field)) {
      spec.addInvalid(field, "must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  // Returns false, after an error, if an old toleration is missing.
  private static boolean validateOldTolerations(ValidatedObject spec, ValidatedObject oldSpec) {
    for (ValidatedObject toleration : oldSpec.getChildren("tolerations")) {
      boolean isUnchanged =
          spec.getChildren("tolerations").stream()
              .anyMatch(t -> removeSeconds(t.object()).equals(removeSeconds(toleration.object())));
      if (!isUnchanged) {
        spec.addForbidden(
            "tolerations", "existing toleration can not be modified except its tolerationSeconds");
        return false;
      }
    }
    return true;
  }

  private static JsonObject removeSeconds(JsonObject toleration) {
    JsonObject copy = toleration.deepCopy();
    copy.remove("tolerationSeconds");
    return copy;
  }

  private static void validateGates(ValidatedObject spec, ValidatedObject oldSpec) {
    List<String> oldGates =
        oldSpec.getChildren("schedulingGates").stream().map(g -> g.text("name")).toList();
    for (ValidatedObject gate : spec.getChildren("schedulingGates")) {
      if (!oldGates.contains(gate.text("name"))) {
        gate.addForbidden(
            "name",
            "only deletion is allowed, but found new scheduling gate '" + gate.text("name") + "'");
      }
    }
  }

  private static JsonObject resetMutableFields(JsonObject spec, JsonObject oldSpec) {
    JsonObject restoredSpec = spec.deepCopy();
    for (String list : CONTAINER_LISTS) {
      if (restoredSpec.get(list) instanceof JsonArray containers
          && oldSpec.get(list) instanceof JsonArray oldContainers) {
        for (int i = 0; i < containers.size(); i++) {
          containers
              .get(i)
              .getAsJsonObject()
              .add("image", oldContainers.get(i).getAsJsonObject().get("image"));
        }
      }
    }
    for (String field : List.of("activeDeadlineSeconds", "tolerations", "schedulingGates")) {
      restoreField(restoredSpec, oldSpec, field);
    }
    JsonElement gracePeriod = oldSpec.get("terminationGracePeriodSeconds");
    if (gracePeriod != null
        && gracePeriod.getAsLong() < 0
        && restoredSpec.has("terminationGracePeriodSeconds")
        && restoredSpec.get("terminationGracePeriodSeconds").getAsLong() == 1) {
      restoredSpec.add("terminationGracePeriodSeconds", gracePeriod);
    }
    return restoredSpec;
  }

  private static void restoreField(JsonObject spec, JsonObject oldSpec, String field) {
    if (oldSpec.has(field)) {
      spec.add(field, oldSpec.get(field));
    } else {
      spec.remove(field);
    }
  }

  // A pod with scheduling gates may get a stricter node selector and affinity.
  private static void validateGatedChange(
      JsonObject restoredSpec, ValidatedObject spec, ValidatedObject oldSpec) {
    JsonObject selector = spec.getChild("nodeSelector").object();
    for (Map.Entry<String, JsonElement> label :
        oldSpec.getChild("nodeSelector").object().entrySet()) {
      if (!label.getValue().equals(selector.get(label.getKey()))) {
        spec.addInvalid(
            "nodeSelector",
            selector,
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        break;
      }
    }
    restoreField(restoredSpec, oldSpec.object(), "nodeSelector");
    JsonElement oldAffinity = oldSpec.value("affinity", "nodeAffinity");
    if (Objects.equals(oldAffinity, spec.value("affinity", "nodeAffinity"))) {
      return;
    }
    validateTerms(spec, oldSpec);
    JsonObject affinity = getOrAddChild(restoredSpec, "affinity");
    if (oldAffinity == null) {
      affinity.remove("nodeAffinity");
    } else {
      affinity.add("nodeAffinity", oldAffinity);
    }
    if (affinity.isEmpty() && !oldSpec.has("affinity")) {
      restoredSpec.remove("affinity");
    }
  }

  private static void validateTerms(ValidatedObject spec, ValidatedObject oldSpec) {
    String field = "affinity.nodeAffinity." + REQUIRED_TERMS + ".nodeSelectorTerms";
    List<ValidatedObject> oldTerms =
        oldSpec
            .getChild("affinity")
            .getChild("nodeAffinity")
            .getChild(REQUIRED_TERMS)
            .getChildren("nodeSelectorTerms");
    List<ValidatedObject> newTerms =
        spec.getChild("affinity")
            .getChild("nodeAffinity")
            .getChild(REQUIRED_TERMS)
            .getChildren("nodeSelectorTerms");
    if (oldTerms.isEmpty()) {
      return;
    }
    if (oldTerms.size() != newTerms.size()) {
      spec.addInvalid(
          field, "terms", "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < oldTerms.size(); i++) {
      boolean fillsEmptyTerm =
          oldTerms.get(i).object().isEmpty() && !newTerms.get(i).object().isEmpty();
      boolean hasOnlyAdditions =
          hasPrefix(newTerms.get(i), oldTerms.get(i), "matchExpressions")
              && hasPrefix(newTerms.get(i), oldTerms.get(i), "matchFields");
      if (fillsEmptyTerm || !hasOnlyAdditions) {
        spec.errors()
            .addInvalid(
                spec.path(field) + "[" + i + "]",
                newTerms.get(i).object(),
                "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean hasPrefix(ValidatedObject newTerm, ValidatedObject oldTerm, String list) {
    JsonArray newList =
        valueAt(newTerm.object(), list) instanceof JsonArray a ? a : new JsonArray();
    JsonArray oldList =
        valueAt(oldTerm.object(), list) instanceof JsonArray b ? b : new JsonArray();
    if (newList.size() < oldList.size()) {
      return false;
    }
    for (int i = 0; i < oldList.size(); i++) {
      if (!oldList.get(i).equals(newList.get(i))) {
        return false;
      }
    }
    return true;
  }
}
