package dev.mooring.model;

import java.util.Map;

/**
 * What a volume is made of: the type's name as the API spells it ({@code hostPath}, {@code nfs},
 * {@code csi}, {@code local}…) with its plain attributes.
 *
 * @param type the member of PersistentVolumeSource, "" if there is none
 * @param attributes plain fields by name, in the API's spelling; a list's elements are joined by
 *     blanks; nested objects and secrets are left out, and so are fields that have no value
 */
public record VolumeSource(String type, Map<String, String> attributes) {
  /** No source. */
  public static final VolumeSource NONE = new VolumeSource("", Map.of());

  /** A directory of the host. */
  public static VolumeSource hostPath(String path) {
    return new VolumeSource("hostPath", Map.of("path", path));
  }

  /** An NFS export. */
  public static VolumeSource nfs(String server, String path) {
    return new VolumeSource("nfs", Map.of("server", server, "path", path));
  }

  /** A CSI volume. */
  public static VolumeSource csi(String driver, String handle) {
    return new VolumeSource("csi", Map.of("driver", driver, "volumeHandle", handle));
  }

  /** A local disk. */
  public static VolumeSource local(String path) {
    return new VolumeSource("local", Map.of("path", path));
  }

  /** An attribute, or "" where it is absent. */
  public String attribute(String name) {
    return attributes.getOrDefault(name, "");
  }
}
