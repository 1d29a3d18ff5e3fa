package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Node.
 *
 * @param meta name, version, labels, annotations
 * @param taints the taints as {@code key=value:effect}
 * @param ready the Ready condition's status: True, False, Unknown, or null if there is none
 * @param volumesInUse unique names of volumes that the kubelet mounts
 * @param volumesAttached unique names of attached volumes with their device paths
 */
public record Node(
    Meta meta,
    List<String> taints,
    @Nullable String ready,
    List<String> volumesInUse,
    Map<String, String> volumesAttached)
    implements Resource {
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service=";

  /** Whether the node says that it is ready. */
  public boolean isReady() {
    return "True".equals(ready);
  }

  /** Whether somebody has declared it dead, by the taint that Kubernetes has for that. */
  public boolean isOutOfService() {
    return taints.stream().anyMatch(taint -> taint.startsWith(OUT_OF_SERVICE));
  }
}
