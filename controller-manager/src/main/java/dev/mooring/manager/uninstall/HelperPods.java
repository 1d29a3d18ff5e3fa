package dev.mooring.manager.uninstall;

import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.Optional;

final class HelperPods {
  private static final String PREFIX = "mooring-";
  private static final String LABELS = "app.kubernetes.io/";

  private HelperPods() {}

  static boolean isCandidate(ObjectKey pod) {
    return pod.name().startsWith(PREFIX);
  }

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
