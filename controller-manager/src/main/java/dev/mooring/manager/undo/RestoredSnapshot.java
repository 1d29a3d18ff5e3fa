package dev.mooring.manager.undo;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.storage.decide.Condemnation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class RestoredSnapshot {
  private static final TypeToken<LinkedHashMap<String, Object>> TYPE = new TypeToken<>() {};
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private RestoredSnapshot() {}

  static String contentName(SnapshotContent condemned) {
    return "restored-" + condemned.meta().uid();
  }

  static Map<String, Object> content(SnapshotContent condemned, Map<String, Object> whole) {
    ObjectKey snapshot = condemned.snapshot().key();
    Map<String, Object> metadata = new LinkedHashMap<>(Map.of("name", contentName(condemned)));
    Map<String, Object> annotations = new LinkedHashMap<>();
    for (String name : List.of(SnapshotContent.SECRET_NAME, SnapshotContent.SECRET_NAMESPACE)) {
      if (condemned.meta().hasAnnotation(name)) {
        annotations.put(name, condemned.meta().annotation(name));
      }
    }
    metadata.put("annotations", annotations);
    Object labels = child(whole, "metadata").get("labels");
    if (labels != null) {
      metadata.put("labels", labels);
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("driver", condemned.driver());
    spec.put("deletionPolicy", "Delete");
    spec.put("source", Map.of("snapshotHandle", condemned.status().handle()));
    copy(child(whole, "spec"), spec, "volumeSnapshotClassName", "sourceVolumeMode");
    spec.put(
        "volumeSnapshotRef",
        Map.of(
            "apiVersion",
            "snapshot.storage.k8s.io/v1",
            "kind",
            Kind.SNAPSHOT.kind(),
            "namespace",
            snapshot.namespace(),
            "name",
            snapshot.name()));
    return manifest(Kind.SNAPSHOT_CONTENT.kind(), metadata, spec);
  }

  static Map<String, Object> snapshot(SnapshotContent condemned, Map<String, Object> whole) {
    Map<String, Object> saved =
        parse(
            String.valueOf(
                child(child(whole, "metadata"), "annotations")
                    .getOrDefault(Condemnation.SNAPSHOT_MANIFEST, "")));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", condemned.snapshot().key().name());
    metadata.put("namespace", condemned.snapshot().key().namespace());
    copy(child(saved, "metadata"), metadata, "labels", "annotations");
    Map<String, Object> spec = new LinkedHashMap<>();
    copy(child(saved, "spec"), spec, "volumeSnapshotClassName");
    spec.put("source", Map.of("volumeSnapshotContentName", contentName(condemned)));
    return manifest(Kind.SNAPSHOT.kind(), metadata, spec);
  }

  private static Map<String, Object> manifest(
      String kind, Map<String, Object> metadata, Map<String, Object> spec) {
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("apiVersion", "snapshot.storage.k8s.io/v1");
    manifest.put("kind", kind);
    manifest.put("metadata", metadata);
    manifest.put("spec", spec);
    return manifest;
  }

  private static void copy(Map<String, Object> from, Map<String, Object> to, String... names) {
    for (String name : names) {
      Object value = from.get(name);
      if (value != null) {
        to.put(name, value);
      }
    }
  }

  private static Map<String, Object> parse(String manifest) {
    try {
      Map<String, Object> members = GSON.fromJson(manifest, TYPE);
      return members == null ? Map.of() : members;
    } catch (JsonParseException editedByHand) {
      return Map.of();
    }
  }

  @SuppressWarnings("unchecked") // Gson creates maps with names as keys
  private static Map<String, Object> child(Map<String, Object> parent, String name) {
    return parent.get(name) instanceof Map<?, ?> members ? (Map<String, Object>) members : Map.of();
  }
}
