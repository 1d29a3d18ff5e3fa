package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.SchedulingRules;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;

final class PodUpdates {
  private static final List<String> LISTS = List.of("containers", "initContainers");

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
    if (spec.object().equals(before.object())) {
      return;
    }
    JsonObject now = resetMutableFields(spec.object(), before.object());
    if (!before.isEmpty("schedulingGates")) { // the pod is not scheduled yet
      restoreField(now, before.object(), "nodeSelector");
      restoreField(now, before.object(), "affinity");
    }
    if (!now.equals(before.object())) {
      errors.addForbidden(
          "spec",
          "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
              + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`");
    }
  }

  // Returns whether validation of the update continues.
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
}
