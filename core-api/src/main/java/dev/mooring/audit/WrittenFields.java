package dev.mooring.audit;

import dev.mooring.cluster.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which members a write touches. Values are told only of those members that say what is tied to
 * what and in which phase it is: parameters, attributes and annotations of others may hold what
 * nobody is to read in a file.
 */
final class WrittenFields {
  private static final int MOST = 32;
  private static final int DEEPEST = 4;

  private static final Set<String> TOLD =
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

  /** They are told as the versions and the uid of what was written. */
  private static final Set<String> ELSEWHERE =
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
    WrittenFields written = new WrittenFields();
    written.add("", document.members(), 1);
    return written.fields.size() <= MOST
        ? written.fields
        : List.copyOf(written.fields.subList(0, MOST));
  }

  private void add(String prefix, Map<?, ?> members, int depth) {
    members.forEach((name, value) -> add(path(prefix, String.valueOf(name)), value, depth));
  }

  /** Keys of labels and annotations hold dots themselves. */
  private static String path(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : name.indexOf('.') < 0 && name.indexOf('/') < 0
            ? prefix + "." + name
            : prefix + "[" + name + "]";
  }

  private void add(String path, @Nullable Object value, int depth) {
    if (ELSEWHERE.contains(path)) {
      return;
    }
    if (value == null) {
      fields.add("-" + path);
    } else if (value instanceof Map<?, ?> members && depth < DEEPEST && !members.isEmpty()) {
      add(path, members, depth + 1);
    } else {
      fields.add(TOLD.contains(path) ? path + "=" + told(value) : path);
    }
  }

  private static String told(Object value) {
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }
}
