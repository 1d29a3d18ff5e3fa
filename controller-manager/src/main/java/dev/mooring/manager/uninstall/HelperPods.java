package dev.mooring.manager.uninstall;

import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.Optional;

/** Recognizes the pods that plugins run for work on nodes. Pure function. */
final class HelperPods {
  private static final String PREFIX = "mooring-";
  private static final String LABELS = "app.kubernetes.io/";

  private HelperPods() {}

  /** Returns whether the name permits that the pod is a helper pod. */
  static boolean mayBeOne(ObjectKey pod) {
    return pod.name().startsWith(PREFIX);
  }

  /** Returns the component label of a helper pod; empty if Mooring did not create the pod. */
  static Optional<String> component(Map<String, Object> pod) {
    if (!(pod.get("metadata") instanceof Map<?, ?> metadata)
        || !(metadata.get("labels") instanceof Map<?, ?> labels)
        || !"mooring".equals(labels.get(LABELS + "managed-by"))) {
      return Optional.empty();
    }
    return Optional.ofNullable(labels.get(LABELS + "component"))
        .map(String::valueOf)
        .filter(component -> component.endsWith("-helper"));
  }
}
