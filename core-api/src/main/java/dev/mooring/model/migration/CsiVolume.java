package dev.mooring.model.migration;

import dev.mooring.model.AccessModes;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * An in-tree volume as its CSI driver knows it.
 *
 * @param name the PersistentVolume's name; of a volume that stands in a pod the name that
 *     Kubernetes gives it in messages, which is the same for every pod that uses the volume
 * @param source the CSI source: {@code driver} and {@code volumeHandle} always, {@code fsType} and
 *     {@code readOnly} ({@code "true"}) only where they are set
 * @param attributes {@code volumeAttributes}; a value may be empty
 * @param secrets the secrets that calls to the driver carry, by the API's field name ({@code
 *     nodeStageSecretRef}…)
 * @param accessModes the modes that the volume is attached and mounted with
 * @param volumeMode Filesystem or Block; always Filesystem for a volume that stands in a pod
 * @param nodeAffinity the nodes that can reach it
 */
public record CsiVolume(
    String name,
    VolumeSource source,
    SortedMap<String, String> attributes,
    SortedMap<String, Secret> secrets,
    AccessModes accessModes,
    VolumeMode volumeMode,
    NodeAffinity nodeAffinity) {

  /**
   * Where a secret is.
   *
   * @param name its name
   * @param namespace its namespace
   */
  public record Secret(String name, String namespace) {}

  /** The driver's name. */
  public String driver() {
    return source.attribute("driver");
  }

  /** What identifies the volume to the driver. */
  public String handle() {
    return source.attribute("volumeHandle");
  }

  /**
   * The PersistentVolumeSpec as the API spells it, without what is empty: what {@code
   * inlineVolumeSpec} of a VolumeAttachment holds. Made of maps, lists, texts and booleans only.
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
