package dev.mooring.attachdetach.decide;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node that has a volume, or may have it, and why it still has.
 *
 * @param node its name
 * @param why what keeps the volume there
 * @param until how long until it is taken away by force; null if that is not going to happen
 */
public record VolumeHolder(String node, Why why, @Nullable Duration until) {
  /** What keeps a volume on a node. */
  public enum Why {
    /** Pods there use it. */
    WANTED,
    /**
     * Pods there wait for it or use it: the node says that it does, and nobody knows whether it is
     * attached there.
     */
    UNCERTAIN,
    /** It is being attached there. */
    ATTACHING,
    /** It is being detached, or will be at the next try. */
    DETACHING,
    /** The node is well and says that it uses the volume. */
    IN_USE,
    /** The node is not well and said last that it uses the volume. */
    IN_USE_NOT_READY,
    /** The node does not exist any more and said last that it uses the volume. */
    IN_USE_GONE,
    /** The node is ready and lists the volume in use, and nothing else confirms it. */
    IN_USE_UNTRACED,
    /** The node's kubelet attaches and detaches volumes itself. */
    UNMANAGED,
    /** Pods of a Node that does not exist use the volume. */
    NODE_ABSENT
  }
}
