package dev.mooring.manager.audit;

import dev.mooring.cluster.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the fields of a write. Shows values only of fields that link objects or hold a phase or a
 * size. Parameters, attributes and foreign annotations may contain secrets.
 */
final class WrittenFields {
  private static final int MAX_FIELDS = 32;
  private static final int MAX_DEPTH = 4;

  private static final Set<String> WITH_VALUES =
      Set.of(
          "metadata.finalizers",
          "spec.accessModes",
          "spec.attacher",
          "spec.capacity.storage",
          "spec.claimRef.name",
          "spec.claimRef.namespace",
          "spec.claimRef.uid",
          "spec.nodeName",
          "spec.persistentVolumeReclaimPolicy",
          "spec.source.persistentVolumeName",
          "spec.storageClassName",
          "spec.volumeAttributesClassName",
          "spec.volumeName",
          "status.attached",
          "status.capacity.storage",
          "status.phase");

  // The audit entry's target and versions contain them.
  private static final Set<String> OMITTED =
      Set.of(
          "apiVersion",
          "kind",
          "metadata.name",
          "metadata.namespace",
          "metadata.resourceVersion",
          "metadata.uid");

  private final List<String> fields = new ArrayList<>();

  private WrittenFields() {}

  static List<String> of(Document document) {
    WrittenFields collector = new WrittenFields();
    collector.addMembers("", document.members(), 1);
    return collector.fields.size() <= MAX_FIELDS
        ? collector.fields
        : List.copyOf(collector.fields.subList(0, MAX_FIELDS));
  }

  private void addMembers(String prefix, Map<?, ?> members, int depth) {
    members.forEach((name, value) -> addField(path(prefix, String.valueOf(name)), value, depth));
  }

  private static String path(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : name.indexOf('.') < 0 && name.indexOf('/') < 0
            ? prefix + "." + name
            : prefix + "[" + name + "]";
  }

  private void addField(String path, @Nullable Object value, int depth) {
    if (OMITTED.contains(path)) {
      return;
    }
    if (value == null) {
      fields.add("-" + path);
    } else if (value instanceof Map<?, ?> members && depth < MAX_DEPTH && !members.isEmpty()) {
      addMembers(path, members, depth + 1);
    } else {
      fields.add(WITH_VALUES.contains(path) ? path + "=" + valueText(value) : path);
    }
  }

  private static String valueText(Object value) {
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }
}
