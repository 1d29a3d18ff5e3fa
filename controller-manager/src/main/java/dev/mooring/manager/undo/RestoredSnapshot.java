package dev.mooring.manager.undo;

import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.storage.decide.Condemnation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class RestoredSnapshot {
  private RestoredSnapshot() {}

  static String contentName(SnapshotContent condemned) {
    return "restored-" + condemned.meta().uid();
  }

  static Map<String, Object> content(SnapshotContent condemned, RawObject wholeObject) {
    ObjectKey snapshot = condemned.snapshot().key();
    Map<String, Object> metadata = new LinkedHashMap<>(Map.of("name", contentName(condemned)));
    Map<String, Object> annotations = new LinkedHashMap<>();
    for (String name : List.of(SnapshotContent.SECRET_NAME, SnapshotContent.SECRET_NAMESPACE)) {
      if (condemned.meta().hasAnnotation(name)) {
        annotations.put(name, condemned.meta().annotation(name));
      }
    }
    metadata.put("annotations", annotations);
    SavedManifest.copy(wholeObject.at("metadata"), metadata, List.of("labels"));
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("driver", condemned.driver());
    spec.put("deletionPolicy", "Delete");
    spec.put("source", Map.of("snapshotHandle", condemned.status().handle()));
    SavedManifest.copy(
        wholeObject.at("spec"), spec, List.of("volumeSnapshotClassName", "sourceVolumeMode"));
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

  static Map<String, Object> snapshot(SnapshotContent condemned, RawObject wholeObject) {
    RawObject saved =
        SavedManifest.parse(
            wholeObject.text("metadata", "annotations", Condemnation.SNAPSHOT_MANIFEST));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", condemned.snapshot().key().name());
    metadata.put("namespace", condemned.snapshot().key().namespace());
    SavedManifest.copy(saved.at("metadata"), metadata, List.of("labels", "annotations"));
    Map<String, Object> spec = new LinkedHashMap<>();
    SavedManifest.copy(saved.at("spec"), spec, List.of("volumeSnapshotClassName"));
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
}
