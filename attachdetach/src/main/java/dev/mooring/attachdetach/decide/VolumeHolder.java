package dev.mooring.attachdetach.decide;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Node that has or may have a volume, and why it keeps it.
 *
 * @param remainingWait time until the forced detach; null if none is due
 */
public record VolumeHolder(String node, HoldReason reason, @Nullable Duration remainingWait) {
  public static final String MACHINE_OFF_REMEDY =
      "if its machine is certainly off, add the taint node.kubernetes.io/out-of-service with"
          + " effect NoExecute";

  public static String absentNodeRemedy(String node) {
    return "let the kubelet of "
        + node
        + " register again; if its machine is certainly off, wait for pod garbage collection or"
        + " delete the pods with --force";
  }

  public enum HoldReason {
    WANTED,
    // Pods on the node use it. The node is not ready, so deleted pods stay.
    WANTED_NOT_READY,
    // Pods on the node wait for it or use it. The node reports it in use, but whether it is
    // attached is unknown.
    UNCERTAIN,
    ATTACHING,
    DETACHING,
    // the node is ready and reports the volume in use
    IN_USE,
    // the node is not ready, and its last report lists the volume in use
    IN_USE_NOT_READY,
    // the Node does not exist, and its last report listed the volume in use
    IN_USE_GONE,
    // the node is ready and reports the volume in use, but nothing else confirms it
    IN_USE_UNTRACED,
    // the node's kubelet attaches and detaches volumes itself
    UNMANAGED,
    // pods of a Node that does not exist use the volume
    NODE_ABSENT
  }
}
