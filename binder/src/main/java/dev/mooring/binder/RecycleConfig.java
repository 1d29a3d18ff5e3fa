package dev.mooring.binder;

import java.util.Map;

/**
 * How volumes are recycled.
 *
 * @param hostPath of hostPath volumes
 * @param nfs of NFS volumes
 */
public record RecycleConfig(PodSettings hostPath, PodSettings nfs) {
  /**
   * How volumes of one type are recycled.
   *
   * @param minimumSeconds the pod's time at least
   * @param secondsPerGib its time for every GiB of the volume
   * @param template a Pod as members, of which the first volume is replaced; empty for Kubernetes'
   *     own
   */
  public record PodSettings(long minimumSeconds, long secondsPerGib, Map<String, Object> template) {
    /** Where the pod is made. */
    public String namespace() {
      return template.get("metadata") instanceof Map<?, ?> metadata
              && metadata.get("namespace") instanceof String text
              && !text.isEmpty()
          ? text
          : "default";
    }
  }

  /** Kubernetes' timeouts and pod. */
  public static final RecycleConfig DEFAULTS =
      new RecycleConfig(new PodSettings(60, 30, Map.of()), new PodSettings(300, 30, Map.of()));
}
