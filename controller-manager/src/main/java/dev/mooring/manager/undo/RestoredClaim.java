package dev.mooring.manager.undo;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
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
  private static final TypeToken<LinkedHashMap<String, Object>> TYPE = new TypeToken<>() {};
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();
  private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

  private RestoredClaim() {}

  /**
   * Returns the claim from the manifest that the volume keeps. Without one, describes the claim by
   * the volume: size, access modes, class and mode.
   */
  static Map<String, Object> of(Volume volume, ObjectKey claim) {
    Map<String, Object> saved = parse(volume.meta().annotation(Condemnation.MANIFEST));
    boolean isSameClaim =
        saved.get("metadata") instanceof Map<?, ?> metadata
            && claim.name().equals(metadata.get("name"))
            && claim.namespace().equals(metadata.get("namespace"))
            && volume.meta().annotation(Condemnation.CLAIM_UID).equals(metadata.get("uid"));
    Map<String, Object> savedMetadata = isSameClaim ? child(saved, "metadata") : Map.of();
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", claim.name());
    metadata.put("namespace", claim.namespace());
    for (String name : List.of("labels", "annotations")) {
      Object value = savedMetadata.get(name);
      if (value != null) {
        metadata.put(name, value);
      }
    }
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("apiVersion", "v1");
    manifest.put("kind", "PersistentVolumeClaim");
    manifest.put("metadata", metadata);
    Map<String, Object> spec = isSameClaim ? child(saved, "spec") : describe(volume);
    complete(spec, metadata, volume);
    manifest.put("spec", spec);
    return manifest;
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
    return parent.get(name) instanceof Map<?, ?> members
        ? new LinkedHashMap<>((Map<String, Object>) members)
        : new LinkedHashMap<>();
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
        metadata.get("annotations") instanceof Map<?, ?> annotations
            && annotations.containsKey(BETA_CLASS);
    if (!hasBetaClass) {
      spec.putIfAbsent("storageClassName", volume.storageClass());
    }
    Map<String, Object> resources = child(spec, "resources");
    Map<String, Object> requests = child(resources, "requests");
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
