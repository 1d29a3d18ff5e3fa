package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
  private static final List<String> LISTS = List.of("containers", "initContainers");
  private static final String TERMS = "requiredDuringSchedulingIgnoredDuringExecution";

  private PodUpdates() {}

  static ValidatedObject validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.of(object, "spec", errors);
    PodSpecs.validate(spec, text(object, "metadata", "name"));
    PodSpecs.validateTokens(spec);
    LISTS.forEach(list -> spec.each(list, ContainerStrategy::rejectImageWhitespace));
    return spec;
  }

  static void validate(JsonObject object, JsonObject old, FieldErrors errors) {
    ValidatedObject spec = validate(object, errors);
    ValidatedObject before = ValidatedObject.reading(old, "spec");
    for (String list : LISTS) {
      if (spec.children(list).size() != before.children(list).size()) {
        spec.addForbidden(list, "pod updates may not add or remove containers");
        return;
      }
      spec.each(
          list,
          container -> { // Kubernetes validates it twice
            container.requireMembers("image");
            ContainerStrategy.rejectImageWhitespace(container);
          });
    }
    if (!validateDeadline(spec, before)) {
      return;
    }
    if (hasOnlyAddedTolerations(spec, before)) {
      SchedulingRules.validateTolerations(spec);
    }
    validateGates(spec, before);
    if (spec.object().equals(before.object())) {
      return;
    }
    JsonObject now = resetMutableFields(spec.object(), before.object());
    if (!before.isEmpty("schedulingGates")) {
      validateGatedChange(now, spec, before);
    }
    if (!now.equals(before.object())) {
      errors.addForbidden(
          "spec",
          "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
              + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`");
    }
  }

  private static boolean validateDeadline(ValidatedObject spec, ValidatedObject before) {
    String field = "activeDeadlineSeconds";
    if (!spec.has(field)) {
      if (before.has(field)) {
        spec.addInvalid(
            field, JsonNull.INSTANCE, "must not update from a positive integer to nil value");
      }
      return true;
    }
    if (spec.number(field) < 0 || spec.number(field) > Integer.MAX_VALUE) {
      spec.addInvalid(field, "must be between 0 and 2147483647, inclusive");
      return false;
    }
    if (before.has(field) && spec.number(field) > before.number(field)) {
      spec.addInvalid(field, "must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  private static boolean hasOnlyAddedTolerations(ValidatedObject spec, ValidatedObject before) {
    for (ValidatedObject toleration : before.children("tolerations")) {
      boolean stays =
          spec.children("tolerations").stream()
              .anyMatch(t -> removeSeconds(t.object()).equals(removeSeconds(toleration.object())));
      if (!stays) {
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

  private static void validateGates(ValidatedObject spec, ValidatedObject before) {
    List<String> had =
        before.children("schedulingGates").stream().map(g -> g.text("name")).toList();
    for (ValidatedObject gate : spec.children("schedulingGates")) {
      if (!had.contains(gate.text("name"))) {
        gate.addForbidden(
            "name",
            "only deletion is allowed, but found new scheduling gate '" + gate.text("name") + "'");
      }
    }
  }

  private static JsonObject resetMutableFields(JsonObject spec, JsonObject before) {
    JsonObject now = spec.deepCopy();
    for (String list : LISTS) {
      if (now.get(list) instanceof JsonArray a && before.get(list) instanceof JsonArray b) {
        for (int i = 0; i < a.size(); i++) {
          a.get(i).getAsJsonObject().add("image", b.get(i).getAsJsonObject().get("image"));
        }
      }
    }
    for (String field : List.of("activeDeadlineSeconds", "tolerations", "schedulingGates")) {
      restoreField(now, before, field);
    }
    JsonElement grace = before.get("terminationGracePeriodSeconds");
    if (grace != null
        && grace.getAsLong() < 0
        && now.has("terminationGracePeriodSeconds")
        && now.get("terminationGracePeriodSeconds").getAsLong() == 1) {
      now.add("terminationGracePeriodSeconds", grace);
    }
    return now;
  }

  private static void restoreField(JsonObject now, JsonObject before, String field) {
    if (before.has(field)) {
      now.add(field, before.get(field));
    } else {
      now.remove(field);
    }
  }

  // A pod with scheduling gates may get a stricter node selector and affinity.
  private static void validateGatedChange(
      JsonObject now, ValidatedObject spec, ValidatedObject before) {
    JsonObject selector = spec.child("nodeSelector").object();
    for (Map.Entry<String, JsonElement> one : before.child("nodeSelector").object().entrySet()) {
      if (!one.getValue().equals(selector.get(one.getKey()))) {
        spec.addInvalid(
            "nodeSelector",
            selector,
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        break;
      }
    }
    restoreField(now, before.object(), "nodeSelector");
    JsonElement was = before.value("affinity", "nodeAffinity");
    if (Objects.equals(was, spec.value("affinity", "nodeAffinity"))) {
      return;
    }
    validateTerms(spec, before);
    JsonObject affinity = child(now, "affinity");
    if (was == null) {
      affinity.remove("nodeAffinity");
    } else {
      affinity.add("nodeAffinity", was);
    }
    if (affinity.isEmpty() && !before.has("affinity")) {
      now.remove("affinity");
    }
  }

  private static void validateTerms(ValidatedObject spec, ValidatedObject before) {
    String field = "affinity.nodeAffinity." + TERMS + ".nodeSelectorTerms";
    List<ValidatedObject> were =
        before.child("affinity").child("nodeAffinity").child(TERMS).children("nodeSelectorTerms");
    List<ValidatedObject> are =
        spec.child("affinity").child("nodeAffinity").child(TERMS).children("nodeSelectorTerms");
    if (were.isEmpty()) {
      return;
    }
    if (were.size() != are.size()) {
      spec.addInvalid(
          field, "terms", "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < were.size(); i++) {
      boolean empty = were.get(i).object().isEmpty() && !are.get(i).object().isEmpty();
      boolean added =
          hasPrefix(are.get(i), were.get(i), "matchExpressions")
              && hasPrefix(are.get(i), were.get(i), "matchFields");
      if (empty || !added) {
        spec.errors()
            .addInvalid(
                spec.path(field) + "[" + i + "]",
                are.get(i).object(),
                "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean hasPrefix(ValidatedObject is, ValidatedObject was, String list) {
    JsonArray now = at(is.object(), list) instanceof JsonArray a ? a : new JsonArray();
    JsonArray before = at(was.object(), list) instanceof JsonArray b ? b : new JsonArray();
    if (now.size() < before.size()) {
      return false;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).equals(now.get(i))) {
        return false;
      }
    }
    return true;
  }
}
