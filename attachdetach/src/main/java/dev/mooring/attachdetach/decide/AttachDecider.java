package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.NodeView.State;
import dev.mooring.attachdetach.decide.NodeView.Trace;
import dev.mooring.attachdetach.decide.VolumeHolder.HoldReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides on which nodes to attach and detach a volume (spec/attachdetach.md 8.3 and 8.5).
 *
 * <p>One decision covers all nodes of a volume, because the nodes compete for it. A node that waits
 * for an exclusive volume gets it only after the detach from the other node has ended. That end
 * requeues the volume.
 *
 * <p>Two rules are stricter than Kubernetes'. First, a node gets an exclusive volume only if no
 * other node has it <em>or may have it</em>. After a failed detach Kubernetes forgets that the
 * volume may still be attached, and two nodes may write to it. Second, only one node at a time gets
 * attach attempts, the one whose pod came first. In Kubernetes two nodes take turns failing. After
 * three failed attempts the controller detaches the volume from that node, and the next waiting
 * node has its turn.
 *
 * <p>The controller does nothing on a node whose kubelet attaches volumes itself. An exclusive
 * volume that such a node has, or that its pods use, is not attached to other nodes.
 */
public final class AttachDecider {
  private static final Comparator<NodeView> OWNERS =
      Comparator.comparing(NodeView::failedRounds, Comparator.reverseOrder())
          .thenComparing(NodeView::held)
          .thenComparing(NodeView::inUse);

  private AttachDecider() {}

  public static List<AttachStep> decide(AttachView volume, DetachRules rules) {
    String owner = volume.exclusive() ? owner(volume) : null;
    List<AttachStep> steps = new ArrayList<>(volume.nodes().size());
    for (NodeView node : volume.nodes()) {
      if (node.isUnmanaged()) {
        steps.add(new AttachStep.Leave(node.node()));
      } else if (!node.wanted()) {
        if (node.isHeld() || node.running() != Running.NOTHING) {
          steps.add(
              isUntracedUseOver(node, volume, rules) ? detachUntraced(node) : release(node, rules));
        }
      } else if (owner == null || node.node().equals(owner)) {
        steps.add(provide(node, volume, rules));
      } else {
        steps.add(refuse(node, owner, volume, rules));
      }
    }
    return List.copyOf(steps);
  }

  public static Optional<Duration> recheckDelay(List<AttachStep> steps) {
    return steps.stream()
        .flatMap(step ->
            step instanceof AttachStep.Hold(VolumeHolder holder)
                ? Optional.ofNullable(holder.until()).stream()
                : Stream.empty())
        .min(Duration::compareTo);
  }

  /**
   * Returns the node that is to have an exclusive volume; null if no node wants it. Order: fewest
   * failed rounds, then attached, possibly attached, in use, oldest. A node in use may have the
   * volume mounted even if every trace of its attachment was removed.
   */
  private static @Nullable String owner(AttachView volume) {
    NodeView owner = null;
    for (NodeView node : volume.nodes()) {
      if (node.wanted()
          && !node.isUnmanaged()
          && (owner == null || OWNERS.compare(node, owner) > 0)) {
        owner = node;
      }
    }
    return owner == null ? null : owner.node();
  }

  private static AttachStep provide(NodeView node, AttachView volume, DetachRules rules) {
    if (node.running() != Running.NOTHING) {
      return new AttachStep.Busy(node.node());
    }
    if (node.held() == Held.YES) {
      return new AttachStep.Keep(node.node());
    }
    List<VolumeHolder> others = volume.exclusive() ? otherHolders(node, volume, rules) : List.of();
    return others.isEmpty()
        ? new AttachStep.Attach(node.node())
        : new AttachStep.Blocked(node.node(), others);
  }

  private static AttachStep refuse(
      NodeView node, String owner, AttachView volume, DetachRules rules) {
    if (node.running() != Running.NOTHING) {
      return new AttachStep.Busy(node.node());
    }
    if (node.held() == Held.PERHAPS && !node.mayHaveMounted()) {
      return new AttachStep.Detach(
          node.node(), node.inUse() ? Grounds.NEVER_LISTED : Grounds.UNUSED);
    }
    List<VolumeHolder> others = otherHolders(node, volume, rules);
    return new AttachStep.Blocked(
        node.node(),
        others.isEmpty() ? List.of(new VolumeHolder(owner, HoldReason.ATTACHING, null)) : others);
  }

  private static boolean isUntracedUseOver(NodeView node, AttachView volume, DetachRules rules) {
    return volume.exclusive()
        && rules.forceOnTimeout()
        && node.trace() == Trace.ONLY_IN_USE
        && node.inUse()
        && node.state() == State.READY
        && node.running() == Running.NOTHING
        && remainingWait(node) == null
        && volume.nodes().stream().anyMatch(NodeView::wanted);
  }

  private static AttachStep detachUntraced(NodeView node) {
    return new AttachStep.Detach(node.node(), Grounds.UNTRACED);
  }

  private static AttachStep release(NodeView node, DetachRules rules) {
    if (node.running() != Running.NOTHING) {
      return new AttachStep.Busy(node.node());
    }
    if (!node.inUse()) {
      return new AttachStep.Detach(node.node(), Grounds.UNUSED);
    }
    if (node.outOfService()) {
      return new AttachStep.Detach(node.node(), Grounds.OUT_OF_SERVICE);
    }
    if (node.state() == State.READY) {
      return new AttachStep.Hold(
          node.trace() == Trace.ONLY_IN_USE
              ? new VolumeHolder(
                  node.node(),
                  HoldReason.IN_USE_UNTRACED,
                  rules.forceOnTimeout() ? remainingWait(node) : null)
              : new VolumeHolder(node.node(), HoldReason.IN_USE, null));
    }
    if (node.provenDead()) {
      return new AttachStep.Detach(node.node(), Grounds.EVIDENCE);
    }
    HoldReason why =
        node.state() == State.GONE ? HoldReason.IN_USE_GONE : HoldReason.IN_USE_NOT_READY;
    if (!rules.forceOnTimeout()) {
      return new AttachStep.Hold(new VolumeHolder(node.node(), why, null));
    }
    Duration remaining = remainingWait(node);
    return remaining == null
        ? new AttachStep.Detach(node.node(), Grounds.TIMEOUT)
        : new AttachStep.Hold(new VolumeHolder(node.node(), why, remaining));
  }

  // null after the waiting time
  private static @Nullable Duration remainingWait(NodeView node) {
    Duration waited = node.unwantedFor() == null ? Duration.ZERO : node.unwantedFor();
    return waited.compareTo(DetachRules.PATIENCE) > 0
        ? null
        : DetachRules.PATIENCE.minus(waited).plusMillis(1);
  }

  private static List<VolumeHolder> otherHolders(
      NodeView self, AttachView volume, DetachRules rules) {
    List<VolumeHolder> others = new ArrayList<>();
    for (NodeView node : volume.nodes()) {
      if (node != self
          && (node.isHeld() || node.running() != Running.NOTHING || hasPriority(node, self))) {
        others.add(holder(node, rules));
      }
    }
    return List.copyOf(others);
  }

  private static boolean hasPriority(NodeView node, NodeView self) {
    return node.isUnmanaged() && node.wanted() && !self.isHeld();
  }

  private static VolumeHolder holder(NodeView node, DetachRules rules) {
    if (node.isUnmanaged()) {
      return new VolumeHolder(
          node.node(), node.isGone() ? HoldReason.NODE_ABSENT : HoldReason.UNMANAGED, null);
    }
    if (node.running() == Running.ATTACH) {
      return new VolumeHolder(node.node(), HoldReason.ATTACHING, null);
    }
    if (node.running() == Running.DETACH) {
      return new VolumeHolder(node.node(), HoldReason.DETACHING, null);
    }
    if (node.wanted()) {
      return new VolumeHolder(node.node(), holdReason(node), null);
    }
    return release(node, rules) instanceof AttachStep.Hold(VolumeHolder holder)
        ? holder
        : new VolumeHolder(node.node(), HoldReason.DETACHING, null);
  }

  private static HoldReason holdReason(NodeView node) {
    if (node.held() == Held.PERHAPS && !node.mayHaveMounted()) {
      return HoldReason.ATTACHING;
    }
    if (node.isGone()) {
      return HoldReason.NODE_ABSENT;
    }
    return node.held() == Held.PERHAPS ? HoldReason.UNCERTAIN : HoldReason.WANTED;
  }
}
