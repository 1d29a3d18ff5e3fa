package dev.mooring.manager.uninstall;

import dev.mooring.live.RawObject;
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
    RawObject labels = new RawObject(pod).at("metadata", "labels");
    return Optional.of(labels.text(LABELS + "component"))
        .filter(component ->
            labels.text(LABELS + "managed-by").equals("mooring") && component.endsWith("-helper"));
  }
}
