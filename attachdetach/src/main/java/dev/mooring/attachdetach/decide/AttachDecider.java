package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.NodeView.Operation;
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
 * Decides on which nodes to attach and detach a volume. Kubernetes decides it in {@code
 * pkg/controller/volume/attachdetach/reconciler}.
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
 * volume that such a node has, or that its pods use, is not attached to other nodes. A request that
 * was pending when such a node got the volume is withdrawn.
 */
public final class AttachDecider {
  private static final Comparator<NodeView> OWNER_ORDER =
      Comparator.comparing(NodeView::failedRounds, Comparator.reverseOrder())
          .thenComparing(NodeView::attachState)
          .thenComparing(NodeView::mayHaveMounted)
          .thenComparing(NodeView::inUse);

  private AttachDecider() {}

  public static List<AttachStep> decide(AttachView volume, DetachRules rules) {
    String owner = volume.exclusive() ? chooseOwner(volume) : null;
    List<AttachStep> steps = new ArrayList<>(volume.nodes().size());
    for (NodeView node : volume.nodes()) {
      if (node.isUnmanaged()) {
        steps.add(new AttachStep.LeaveToKubelet(node.node()));
      } else if (!node.isNeeded()) {
        if (node.isPossiblyAttached() || node.operation() != Operation.NONE) {
          steps.add(
              canDetachUntraced(node, volume, rules)
                  ? detachUntraced(node)
                  : decideRelease(node, rules));
        }
      } else if (owner == null || node.node().equals(owner)) {
        steps.add(decideForOwner(node, volume, rules));
      } else {
        steps.add(decideForOther(node, owner, volume, rules));
      }
    }
    return List.copyOf(steps);
  }

  public static Optional<Duration> recheckDelay(List<AttachStep> steps) {
    return steps.stream()
        .flatMap(step ->
            step instanceof AttachStep.Hold(VolumeHolder holder)
                ? Optional.ofNullable(holder.remainingWait()).stream()
                : Stream.empty())
        .min(Duration::compareTo);
  }

  /**
   * Returns the node that must get an exclusive volume; null if no node needs it. Prefers nodes
   * with the fewest failed rounds, then attached, possibly attached, possibly mounted, in use,
   * oldest. A node that reports use may have mounted the volume, even if no attachment or list
   * shows it.
   */
  private static @Nullable String chooseOwner(AttachView volume) {
    NodeView owner = null;
    for (NodeView node : volume.nodes()) {
      if (node.isNeeded()
          && !node.isUnmanaged()
          && (owner == null || OWNER_ORDER.compare(node, owner) > 0)) {
        owner = node;
      }
    }
    return owner == null ? null : owner.node();
  }

  private static AttachStep decideForOwner(NodeView node, AttachView volume, DetachRules rules) {
    if (node.operation() != Operation.NONE) {
      return new AttachStep.Busy(node.node());
    }
    if (node.attachState() == AttachState.ATTACHED) {
      return new AttachStep.Keep(node.node());
    }
    if (!volume.exclusive()) {
      return new AttachStep.Attach(node.node());
    }
    if (hasUnconfirmedRequest(node) && isHeldByUnmanaged(volume)) {
      return withdrawRequest(node);
    }
    List<VolumeHolder> holders = findOtherHolders(node, volume, rules);
    return holders.isEmpty()
        ? new AttachStep.Attach(node.node())
        : new AttachStep.Blocked(node.node(), holders);
  }

  private static boolean hasUnconfirmedRequest(NodeView node) {
    return node.attachState() == AttachState.UNCERTAIN && !node.mayHaveMounted();
  }

  /**
   * Returns whether a kubelet that attaches volumes itself has or requests the volume. A driver
   * that does not check for a second node would also attach it to the node of a pending request.
   */
  private static boolean isHeldByUnmanaged(AttachView volume) {
    return volume.nodes().stream()
        .anyMatch(node -> node.isUnmanaged() && node.isPossiblyAttached());
  }

  private static AttachStep withdrawRequest(NodeView node) {
    return new AttachStep.Detach(node.node(), node.inUse() ? Grounds.NEVER_LISTED : Grounds.UNUSED);
  }

  private static AttachStep decideForOther(
      NodeView node, String ownerNode, AttachView volume, DetachRules rules) {
    if (node.operation() != Operation.NONE) {
      return new AttachStep.Busy(node.node());
    }
    if (hasUnconfirmedRequest(node)) {
      return withdrawRequest(node);
    }
    List<VolumeHolder> holders = findOtherHolders(node, volume, rules);
    return new AttachStep.Blocked(
        node.node(),
        holders.isEmpty()
            ? List.of(new VolumeHolder(ownerNode, HoldReason.ATTACHING, null))
            : holders);
  }

  private static boolean canDetachUntraced(NodeView node, AttachView volume, DetachRules rules) {
    return volume.exclusive()
        && rules.forceOnTimeout()
        && node.trace() == Trace.ONLY_IN_USE
        && node.inUse()
        && node.state() == State.READY
        && node.operation() == Operation.NONE
        && remainingWait(node) == null
        && volume.nodes().stream().anyMatch(NodeView::isNeeded);
  }

  private static AttachStep detachUntraced(NodeView node) {
    return new AttachStep.Detach(node.node(), Grounds.UNTRACED);
  }

  private static AttachStep decideRelease(NodeView node, DetachRules rules) {
    if (node.operation() != Operation.NONE) {
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
    HoldReason reason =
        node.state() == State.GONE ? HoldReason.IN_USE_GONE : HoldReason.IN_USE_NOT_READY;
    if (!rules.forceOnTimeout()) {
      return new AttachStep.Hold(new VolumeHolder(node.node(), reason, null));
    }
    Duration remainingWait = remainingWait(node);
    return remainingWait == null
        ? new AttachStep.Detach(node.node(), Grounds.TIMEOUT)
        : new AttachStep.Hold(new VolumeHolder(node.node(), reason, remainingWait));
  }

  // null after the waiting time
  private static @Nullable Duration remainingWait(NodeView node) {
    Duration elapsed = node.unneededFor() == null ? Duration.ZERO : node.unneededFor();
    return elapsed.compareTo(DetachRules.FORCE_DETACH_WAIT) > 0
        ? null
        : DetachRules.FORCE_DETACH_WAIT.minus(elapsed).plusMillis(1);
  }

  private static List<VolumeHolder> findOtherHolders(
      NodeView self, AttachView volume, DetachRules rules) {
    List<VolumeHolder> holders = new ArrayList<>();
    for (NodeView node : volume.nodes()) {
      if (node != self
          && (node.isPossiblyAttached()
              || node.operation() != Operation.NONE
              || hasPriority(node, self))) {
        holders.add(createHolder(node, rules));
      }
    }
    return List.copyOf(holders);
  }

  private static boolean hasPriority(NodeView node, NodeView self) {
    return node.isUnmanaged() && node.isNeeded() && !self.isPossiblyAttached();
  }

  private static VolumeHolder createHolder(NodeView node, DetachRules rules) {
    if (node.isUnmanaged()) {
      return new VolumeHolder(
          node.node(), node.isGone() ? HoldReason.NODE_ABSENT : HoldReason.UNMANAGED, null);
    }
    if (node.operation() == Operation.ATTACH) {
      return new VolumeHolder(node.node(), HoldReason.ATTACHING, null);
    }
    if (node.operation() == Operation.DETACH) {
      return new VolumeHolder(node.node(), HoldReason.DETACHING, null);
    }
    if (node.isNeeded()) {
      return new VolumeHolder(node.node(), findHoldReason(node), null);
    }
    return decideRelease(node, rules) instanceof AttachStep.Hold(VolumeHolder holder)
        ? holder
        : new VolumeHolder(node.node(), HoldReason.DETACHING, null);
  }

  private static HoldReason findHoldReason(NodeView node) {
    if (hasUnconfirmedRequest(node)) {
      return HoldReason.ATTACHING;
    }
    if (node.isGone()) {
      return HoldReason.NODE_ABSENT;
    }
    if (node.attachState() == AttachState.UNCERTAIN) {
      return HoldReason.UNCERTAIN;
    }
    return node.state() == State.NOT_READY && !node.outOfService()
        ? HoldReason.WANTED_NOT_READY
        : HoldReason.WANTED;
  }
}
