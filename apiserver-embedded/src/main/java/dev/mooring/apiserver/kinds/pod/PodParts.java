package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a pod that the subresources ephemeralcontainers and resize change. */
final class PodParts {
  private static final String EPHEMERAL = "ephemeralContainers";

  private PodParts() {}

  static void merge(String subresource, JsonObject edited, JsonObject pod) {
    ValidatedObject spec = ValidatedObject.forReading(edited, "spec");
    if (subresource.equals("ephemeralcontainers")) {
      copyMember(spec.object(), getOrAddChild(pod, "spec"), EPHEMERAL);
      return;
    }
    for (String list : List.of("containers", "initContainers")) {
      for (ValidatedObject container : ValidatedObject.forReading(pod, "spec").getChildren(list)) {
        ValidatedObject sent = find(spec, list, container.text("name"));
        if (sent != null) {
          copyMember(sent.object(), container.object(), "resources");
          copyMember(sent.object(), container.object(), "resizePolicy");
        }
      }
    }
  }

  private static @Nullable ValidatedObject find(ValidatedObject spec, String list, String name) {
    return spec.getChildren(list).stream()
        .filter(container -> container.text("name").equals(name))
        .findFirst()
        .orElse(null);
  }

  private static void copyMember(JsonObject source, JsonObject target, String name) {
    JsonElement value = source.get(name);
    if (value == null || value.isJsonNull()) {
      target.remove(name);
    } else {
      target.add(name, value);
    }
  }

  static void validate(String subresource, JsonObject pod, JsonObject old, FieldErrors errors) {
    ValidatedObject spec = PodUpdates.validate(pod, errors);
    ValidatedObject oldSpec = ValidatedObject.forReading(old, "spec");
    if (subresource.equals("resize")) {
      String qosClass = textAt(old, "status", "qosClass");
      if (!qosClass.isEmpty() && !PodStrategy.computeQosClass(spec.object()).equals(qosClass)) {
        errors.addInvalid("spec", qosClass, "Pod QOS Class may not change as a result of resizing");
      }
      return;
    }
    for (ValidatedObject container : oldSpec.getChildren(EPHEMERAL)) {
      String name = container.text("name");
      ValidatedObject remaining = find(spec, EPHEMERAL, name);
      if (remaining == null || !remaining.object().equals(container.object())) {
        spec.addForbidden(
            EPHEMERAL,
            "existing ephemeral containers \"%s\" may not be %s\n"
                .formatted(name, remaining == null ? "removed" : "changed"));
      }
    }
  }
}
