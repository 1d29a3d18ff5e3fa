package dev.mooring.binder;

import java.util.Map;

/** Configuration of recycling. */
public record RecycleConfig(PodSettings hostPath, PodSettings nfs) {
  /**
   * Recycling of one type of volume.
   *
   * @param minimumSeconds minimum timeout of the pod
   * @param secondsPerGib additional timeout for each GiB of the volume
   * @param template Pod as nested maps, whose first volume is replaced; empty for Kubernetes' pod
   */
  public record PodSettings(long minimumSeconds, long secondsPerGib, Map<String, Object> template) {
    public String namespace() {
      return template.get("metadata") instanceof Map<?, ?> metadata
              && metadata.get("namespace") instanceof String text
              && !text.isEmpty()
          ? text
          : "default";
    }
  }

  public static final RecycleConfig DEFAULTS =
      new RecycleConfig(new PodSettings(60, 30, Map.of()), new PodSettings(300, 30, Map.of()));
}
