package dev.mooring.model;

import java.util.Map;

/**
 * Source of a volume: its type ({@code hostPath}, {@code nfs}, {@code csi}, {@code local}…) and its
 * scalar fields.
 *
 * @param type field of PersistentVolumeSource; "" if none
 * @param attributes scalar fields by API name. List elements are joined by spaces; nested objects,
 *     secrets and fields without a value are omitted
 */
public record VolumeSource(String type, Map<String, String> attributes) {
  public static final VolumeSource NONE = new VolumeSource("", Map.of());

  public static VolumeSource hostPath(String path) {
    return new VolumeSource("hostPath", Map.of("path", path));
  }

  public static VolumeSource nfs(String server, String path) {
    return new VolumeSource("nfs", Map.of("server", server, "path", path));
  }

  public static VolumeSource csi(String driver, String handle) {
    return new VolumeSource("csi", Map.of("driver", driver, "volumeHandle", handle));
  }

  public static VolumeSource local(String path) {
    return new VolumeSource("local", Map.of("path", path));
  }

  public String attribute(String name) {
    return attributes.getOrDefault(name, "");
  }
}
