package dev.mooring.storage;

import dev.mooring.live.RawObject;
import dev.mooring.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Manifest of a deleted claim or snapshot, from which undo creates the object again. */
public final class ClaimManifest {
  // all annotations of an object may have 256 KiB
  static final int MAX_BYTES = 64 * 1024;

  // controllers write them again
  private static final Set<String> CONTROLLER_ANNOTATIONS =
      Set.of(
          "pv.kubernetes.io/bind-completed",
          "pv.kubernetes.io/bound-by-controller",
          "volume.kubernetes.io/selected-node",
          "volume.kubernetes.io/storage-provisioner",
          "volume.beta.kubernetes.io/storage-provisioner",
          "mooring.dev/volume-being-made-by");

  private ClaimManifest() {}

  /**
   * Returns the manifest as JSON: names, uid, labels, annotations and spec. Owners are dropped,
   * because the garbage collector would delete the new claim of an owner that is gone. A claim that
   * is too large loses annotations and labels.
   *
   * @param claim all fields of the claim
   */
  public static String of(Map<String, Object> claim) {
    return of(claim, "v1", "PersistentVolumeClaim");
  }

  /** Returns the manifest of a VolumeSnapshot, like {@link #of(Map)}. */
  public static String ofSnapshot(Map<String, Object> snapshot) {
    return of(snapshot, "snapshot.storage.k8s.io/v1", "VolumeSnapshot");
  }

  private static String of(Map<String, Object> claim, String apiVersion, String kind) {
    RawObject source = new RawObject(claim).at("metadata");
    Map<String, Object> metadata = new LinkedHashMap<>();
    for (String name : List.of("name", "namespace", "uid", "labels")) {
      if (source.members().get(name) instanceof Object value) {
        metadata.put(name, value);
      }
    }
    Map<String, Object> annotations = new LinkedHashMap<>(source.at("annotations").texts());
    annotations.keySet().removeAll(CONTROLLER_ANNOTATIONS);
    metadata.put("annotations", annotations);
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("apiVersion", apiVersion);
    manifest.put("kind", kind);
    manifest.put("metadata", metadata);
    manifest.put("spec", claim.getOrDefault("spec", Map.of()));
    String json = JsonText.of(manifest);
    for (String optional : new String[] {"annotations", "labels"}) {
      if (json.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
        metadata.remove(optional);
        json = JsonText.of(manifest);
      }
    }
    return json;
  }
}
