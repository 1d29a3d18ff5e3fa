package dev.mooring.storage;

import dev.mooring.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
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
    Map<String, Object> metadata = new LinkedHashMap<>();
    copy(claim, metadata, "name", "namespace", "uid", "labels");
    Map<String, Object> annotations = new LinkedHashMap<>();
    if (members(claim).get("annotations") instanceof Map<?, ?> all) {
      all.forEach((name, value) -> annotations.put(String.valueOf(name), value));
    }
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

  private static void copy(
      Map<String, Object> claim, Map<String, Object> metadata, String... names) {
    Map<?, ?> source = members(claim);
    for (String name : names) {
      Object value = source.get(name);
      if (value != null) {
        metadata.put(name, value);
      }
    }
  }

  private static Map<?, ?> members(Map<String, Object> claim) {
    return claim.get("metadata") instanceof Map<?, ?> metadata ? metadata : Map.of();
  }
}
