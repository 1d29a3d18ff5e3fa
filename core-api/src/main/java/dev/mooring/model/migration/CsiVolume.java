package dev.mooring.model.migration;

import dev.mooring.model.AccessModes;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * An in-tree volume in the form that its CSI driver uses.
 *
 * @param name name of the PersistentVolume; for an inline volume, the name in Kubernetes' messages,
 *     which is equal for all pods that use the volume
 * @param source CSI source with {@code driver} and {@code volumeHandle}; {@code fsType} and {@code
 *     readOnly} ({@code "true"}) only if set
 * @param attributes {@code volumeAttributes}; a value may be empty
 * @param secrets Secrets for calls to the driver, by API field name ({@code nodeStageSecretRef}…)
 * @param accessModes access modes for attaching and mounting
 * @param volumeMode Filesystem or Block; always Filesystem for an inline volume
 * @param nodeAffinity nodes that can reach the volume
 */
public record CsiVolume(
    String name,
    VolumeSource source,
    SortedMap<String, String> attributes,
    SortedMap<String, Secret> secrets,
    AccessModes accessModes,
    VolumeMode volumeMode,
    NodeAffinity nodeAffinity) {

  public record Secret(String name, String namespace) {}

  public String driver() {
    return source.attribute("driver");
  }

  public String handle() {
    return source.attribute("volumeHandle");
  }

  /**
   * Returns the PersistentVolumeSpec without empty fields, as {@code inlineVolumeSpec} of a
   * VolumeAttachment. Contains only maps, lists, strings and booleans.
   */
  public Map<String, Object> spec() {
    Map<String, Object> csi = new LinkedHashMap<>();
    csi.put("driver", driver());
    csi.put("volumeHandle", handle());
    if (source.attribute("readOnly").equals("true")) {
      csi.put("readOnly", true);
    }
    if (!source.attribute("fsType").isEmpty()) {
      csi.put("fsType", source.attribute("fsType"));
    }
    if (!attributes.isEmpty()) {
      csi.put("volumeAttributes", new LinkedHashMap<>(attributes));
    }
    secrets.forEach((use, secret) ->
        csi.put(use, Map.of("name", secret.name(), "namespace", secret.namespace())));
    Map<String, Object> spec = new LinkedHashMap<>();
    if (!accessModes.written().isEmpty()) {
      spec.put("accessModes", accessModes.written());
    }
    spec.put("csi", csi);
    if (!nodeAffinity.terms().isEmpty()) {
      spec.put("nodeAffinity", nodeAffinity.spec());
    }
    spec.put("volumeMode", volumeMode.toString());
    return spec;
  }
}
