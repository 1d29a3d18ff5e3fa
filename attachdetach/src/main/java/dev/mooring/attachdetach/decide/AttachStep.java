package dev.mooring.attachdetach.decide;

import java.util.List;

/** What is to be done about one volume on one node. */
public sealed interface AttachStep {
  /** The node. */
  String node();

  /** It is there and used. */
  record Keep(String node) implements AttachStep {}

  /** The node's kubelet attaches and detaches volumes itself. */
  record Leave(String node) implements AttachStep {}

  /** Something is being done already; its end is looked at. */
  record Busy(String node) implements AttachStep {}

  /** Attach it. */
  record Attach(String node) implements AttachStep {}

  /** Detach it. */
  record Detach(String node, Grounds grounds) implements AttachStep {}

  /** Nobody needs it there, and yet it cannot be detached now. */
  record Hold(VolumeHolder holder) implements AttachStep {
    @Override
    public String node() {
      return holder.node();
    }
  }

  /** It is needed there, and others have it. */
  record Blocked(String node, List<VolumeHolder> holders) implements AttachStep {}

  /** Why a volume may be detached. */
  enum Grounds {
    /** The node does not use it. */
    UNUSED,
    /** The node says that it uses the volume, and cannot have mounted it. */
    NEVER_LISTED,
    /** The node is not well, and has been waited for. */
    TIMEOUT,
    /** Somebody declared the node dead. */
    OUT_OF_SERVICE,
    /** The node was found dead. */
    EVIDENCE,
    /** Only the node's own report shows the use, and the wait for the node is over. */
    UNTRACED;

    /** Whether the volume is taken from a node that says it uses it. */
    public boolean isForce() {
      return switch (this) {
        case UNUSED, NEVER_LISTED -> false;
        case TIMEOUT, OUT_OF_SERVICE, EVIDENCE, UNTRACED -> true;
      };
    }
  }
}
