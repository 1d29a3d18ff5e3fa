package dev.mooring.attachdetach.decide;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Relation of a node to a volume.
 *
 * @param isNeeded whether a pod on the node uses the volume
 * @param attachState whether the volume is attached
 * @param operation operation that is running
 * @param inUse whether the node reports that it uses the volume
 * @param trace evidence that the node has the volume
 * @param outOfService whether the node has the out-of-service taint
 * @param provenDead whether evidence proves that the node is dead
 * @param unneededFor how long no pod has needed the volume; null if that was not noticed yet
 * @param failures failed attaches in a row
 */
public record NodeView(
    String node,
    boolean isNeeded,
    AttachState attachState,
    Operation operation,
    boolean inUse,
    Trace trace,
    State state,
    boolean outOfService,
    boolean provenDead,
    @Nullable Duration unneededFor,
    int failures) {
  // number of failures after which another waiting node has its turn
  public static final int FAILURES_PER_ROUND = 3;

  public enum AttachState {
    DETACHED,
    // an attach has started, or failed with an unknown result
    UNCERTAIN,
    ATTACHED
  }

  public enum Operation {
    NONE,
    ATTACH,
    DETACH
  }

  public enum State {
    READY,
    // the node is not ready, or has no Ready condition
    NOT_READY,
    // The Node does not exist. Its machine may still run.
    GONE,
    // the node's kubelet attaches and detaches volumes itself
    UNMANAGED,
    // pods are bound to a Node that does not exist and was never managed
    UNMANAGED_GONE
  }

  // evidence that a node has or uses the volume
  public enum Trace {
    // an attachment, an entry in the node's status, or a pod
    USUAL,
    // only the node's volumesInUse
    ONLY_IN_USE,
    // The node reports the volume in use, but its status has not listed the volume since the time
    // when the node did not. A kubelet mounts only listed volumes.
    NEVER_LISTED
  }

  /**
   * Returns the number of failed rounds. It is 0 for a node that has the volume, or may have
   * mounted it, because that node must keep it. The report in use alone does not count: a kubelet
   * also reports volumes of waiting pods.
   */
  int failedRounds() {
    return attachState == AttachState.ATTACHED || mayHaveMounted()
        ? 0
        : failures / FAILURES_PER_ROUND;
  }

  boolean mayHaveMounted() {
    return attachState != AttachState.DETACHED && inUse && trace != Trace.NEVER_LISTED;
  }

  boolean isUnmanaged() {
    return state == State.UNMANAGED || state == State.UNMANAGED_GONE;
  }

  boolean isGone() {
    return state == State.GONE || state == State.UNMANAGED_GONE;
  }

  boolean isPossiblyAttached() {
    return attachState != AttachState.DETACHED;
  }
}
