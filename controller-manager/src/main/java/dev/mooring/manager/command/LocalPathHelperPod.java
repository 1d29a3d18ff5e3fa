package dev.mooring.manager.command;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

record LocalPathHelperPod(MigrationNotes notes) {
  private static final String OWN =
      "Mooring's pods have their own code, image, user, mounts and limits: no action needed";
  private static final String TELL = "helperPod.yaml ";
  private static final Set<String> HEAD = Set.of("apiVersion", "kind", "metadata", "spec");

  private static final Map<String, Object> ALWAYS =
      Map.of(
          "priorityClassName", "system-node-critical",
          "restartPolicy", "Never");

  void translate(String yaml, Map<String, Object> values) {
    Object parsed;
    try {
      parsed = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    } catch (YAMLException e) {
      notes.add("helperPod.yaml", yaml, "not valid YAML; Mooring does not need it");
      return;
    }
    if (!(parsed instanceof Map<?, ?> pod)) {
      return;
    }
    for (String key : LocalPathObjects.sortedKeys(pod)) {
      if (!HEAD.contains(key)) {
        notes.add(TELL + key, pod.get(key), OWN);
      }
    }
    metadata(pod.get("metadata"));
    if (pod.get("spec") instanceof Map<?, ?> spec) {
      for (String key : LocalPathObjects.sortedKeys(spec)) {
        Object value = spec.get(key);
        if (value != null && !value.equals(ALWAYS.get(key))) {
          member(key, value, values);
        }
      }
    }
  }

  private void metadata(@Nullable Object metadata) {
    if (metadata instanceof Map<?, ?> members) {
      for (String key : LocalPathObjects.sortedKeys(members)) {
        if (!Set.of("name", "namespace").contains(key)) {
          notes.add(TELL + "metadata." + key, members.get(key), OWN);
        }
      }
    }
  }

  private void member(String key, Object value, Map<String, Object> values) {
    switch (key) {
      case "tolerations" -> {} // Mooring's pods tolerate all taints
      case "imagePullSecrets" -> values.put("imagePullSecrets", value);
      case "priorityClassName" ->
          notes.add(
              TELL + "spec." + key,
              value,
              "pass it to mooring run as --plugin-setting=local-path-helper-priority-class="
                  + value
                  + "; the chart sets system-node-critical");
      case "containers" -> containers(value);
      default -> notes.add(TELL + "spec." + key, value, OWN);
    }
  }

  private void containers(Object value) {
    List<?> containerList = value instanceof List<?> list ? list : List.of();
    for (Object element : containerList) {
      if (element instanceof Map<?, ?> container) {
        for (String key : LocalPathObjects.sortedKeys(container)) {
          if (!Set.of("name", "image", "imagePullPolicy").contains(key)) {
            notes.add(TELL + "spec.containers " + key, container.get(key), OWN);
          }
        }
      }
    }
  }
}
