package dev.mooring.manager.undo;

import dev.mooring.live.RawObject;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.storage.decide.Condemnation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The claim that is created again for a volume. */
final class RestoredClaim {
  private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

  private RestoredClaim() {}

  /**
   * Returns the claim from the manifest that the volume keeps. Without one, describes the claim by
   * the volume: size, access modes, class and mode.
   */
  static Map<String, Object> of(Volume volume, ObjectKey claim) {
    RawObject saved = SavedManifest.parse(volume.meta().annotation(Condemnation.MANIFEST));
    RawObject savedMetadata = saved.at("metadata");
    boolean isSameClaim =
        savedMetadata.contains("uid")
            && savedMetadata.text("name").equals(claim.name())
            && savedMetadata.text("namespace").equals(claim.namespace())
            && savedMetadata.text("uid").equals(volume.meta().annotation(Condemnation.CLAIM_UID));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", claim.name());
    metadata.put("namespace", claim.namespace());
    if (isSameClaim) {
      SavedManifest.copy(savedMetadata, metadata, List.of("labels", "annotations"));
    }
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("apiVersion", "v1");
    manifest.put("kind", "PersistentVolumeClaim");
    manifest.put("metadata", metadata);
    Map<String, Object> spec =
        isSameClaim ? SavedManifest.copy(saved.at("spec")) : describe(volume);
    complete(spec, metadata, volume);
    manifest.put("spec", spec);
    return manifest;
  }

  private static Map<String, Object> describe(Volume volume) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("accessModes", volume.accessModes().written());
    spec.put("volumeMode", volume.volumeMode() == VolumeMode.BLOCK ? "Block" : "Filesystem");
    if (!volume.attributesClass().isEmpty()) {
      spec.put("volumeAttributesClassName", volume.attributesClass());
    }
    return spec;
  }

  private static void complete(
      Map<String, Object> spec, Map<String, Object> metadata, Volume volume) {
    spec.put("volumeName", volume.meta().name());
    // without a class, the API server would set the default class
    boolean hasBetaClass =
        new RawObject(metadata).at("annotations").members().containsKey(BETA_CLASS);
    if (!hasBetaClass) {
      spec.putIfAbsent("storageClassName", volume.storageClass());
    }
    RawObject savedResources = new RawObject(spec).at("resources");
    Map<String, Object> resources = SavedManifest.copy(savedResources);
    Map<String, Object> requests = SavedManifest.copy(savedResources.at("requests"));
    if (!isCovered(requests.get("storage"), volume)) {
      requests.put("storage", volume.storage().toString());
    }
    resources.put("requests", requests);
    spec.put("resources", resources);
  }

  // an expansion may have been requested that the volume never got
  private static boolean isCovered(@Nullable Object request, Volume volume) {
    return request != null
        && Quantity.parse(request.toString()).filter(volume.storage()::covers).isPresent();
  }
}
