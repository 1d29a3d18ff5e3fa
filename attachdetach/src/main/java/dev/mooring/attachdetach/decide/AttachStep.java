package dev.mooring.attachdetach.decide;

import java.util.List;

/** Step for one volume on one node. */
public sealed interface AttachStep {
  String node();

  record Keep(String node) implements AttachStep {}

  // nothing to do: the node's kubelet attaches and detaches volumes itself
  record LeaveToKubelet(String node) implements AttachStep {}

  // an operation is running; its end requeues the volume
  record Busy(String node) implements AttachStep {}

  record Attach(String node) implements AttachStep {}

  record Detach(String node, Grounds grounds) implements AttachStep {}

  // no pod on the node needs the volume, but the controller must not detach it yet
  record Hold(VolumeHolder holder) implements AttachStep {
    @Override
    public String node() {
      return holder.node();
    }
  }

  // pods on the node need the volume, but other nodes have it
  record Blocked(String node, List<VolumeHolder> holders) implements AttachStep {}

  enum Grounds {
    UNUSED,
    // the node lists the volume in use, but cannot have mounted it
    NEVER_LISTED,
    // the node is not ready, and no pod has needed the volume for the waiting time
    TIMEOUT,
    // an administrator added the out-of-service taint
    OUT_OF_SERVICE,
    // evidence proves that the node is dead
    EVIDENCE,
    // only the node's own report shows the use, and the waiting time for the node is over
    UNTRACED;

    public boolean isForced() {
      return switch (this) {
        case UNUSED, NEVER_LISTED -> false;
        case TIMEOUT, OUT_OF_SERVICE, EVIDENCE, UNTRACED -> true;
      };
    }
  }
}
