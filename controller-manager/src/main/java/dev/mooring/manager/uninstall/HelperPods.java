package dev.mooring.manager.uninstall;

import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.Optional;

/** Tells the pods that plugins have work on nodes from others. Pure. */
final class HelperPods {
  private static final String PREFIX = "mooring-";
  private static final String LABELS = "app.kubernetes.io/";

  private HelperPods() {}

  /** Whether its name does not rule it out. */
  static boolean mayBeOne(ObjectKey pod) {
    return pod.name().startsWith(PREFIX);
  }

  /** What a pod is for, if it is one of them: its labels say that Mooring has made it to help. */
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
