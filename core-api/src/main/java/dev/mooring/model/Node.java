package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Node.
 *
 * @param meta name, version, labels, annotations
 * @param taints taints in the form {@code key=value:effect}
 * @param ready status of the Ready condition: True, False or Unknown; null if there is no such
 *     condition
 * @param volumesInUse unique names of volumes that the kubelet uses
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

  public boolean isReady() {
    return "True".equals(ready);
  }

  /**
   * Returns whether the node has Kubernetes' out-of-service taint, which declares that it is shut
   * down.
   */
  public boolean isOutOfService() {
    return taints.stream().anyMatch(taint -> taint.startsWith(OUT_OF_SERVICE));
  }
}
