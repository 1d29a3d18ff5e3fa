package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.NodeView.State;
import dev.mooring.attachdetach.decide.NodeView.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a volume is to be attached and detached (spec/attachdetach.md 8.3 and 8.5).
 *
 * <p>Everything about one volume is decided together, because nodes compete for it: what is taken
 * from one node is what another waits for. A volume that moves is not given away before it is free:
 * the node that is to have it waits, and the end of the detach brings the volume back here.
 *
 * <p>Two rules are stricter than Kubernetes'. An exclusive volume is given to a node only if no
 * other node has it <em>or may have it</em>: after a failed detach Kubernetes forgets that the
 * volume may still be there, and two nodes end up writing to it. And only one node at a time is
 * being attached, the one whose pod came first, where in Kubernetes two nodes take turns failing.
 * It has three tries; then the next one that waits has its turn, after what may be left on the
 * first is detached.
 *
 * <p>A node whose kubelet attaches volumes itself is left alone. What it has, and what its pods
 * use, keeps an exclusive volume from other nodes.
 */
public final class AttachDecider {
  private static final Comparator<NodeView> OWNERS =
      Comparator.comparing(NodeView::failedRounds, Comparator.reverseOrder())
          .thenComparing(NodeView::held)
          .thenComparing(NodeView::inUse);

  private AttachDecider() {}

  /** Decides; one step per node, in the view's order. */
  public static List<AttachStep> decide(AttachView volume, DetachRules rules) {
    String owner = volume.exclusive() ? owner(volume) : null;
    List<AttachStep> steps = new ArrayList<>(volume.nodes().size());
    for (NodeView node : volume.nodes()) {
      if (node.isUnmanaged()) {
        steps.add(new AttachStep.Leave(node.node()));
      } else if (!node.wanted()) {
        if (node.isHeld() || node.running() != Running.NOTHING) {
          steps.add(isPassedOver(node, volume, rules) ? passOver(node) : release(node, rules));
        }
      } else if (owner == null || node.node().equals(owner)) {
        steps.add(provide(node, volume, rules));
      } else {
        steps.add(refuse(node, owner, volume, rules));
      }
    }
    return List.copyOf(steps);
  }

  /** When to look again although nothing has changed; empty for never. */
  public static Optional<Duration> lookAgain(List<AttachStep> steps) {
    return steps.stream()
        .flatMap(step ->
            step instanceof AttachStep.Hold(VolumeHolder holder)
                ? Optional.ofNullable(holder.until()).stream()
                : Stream.empty())
        .min(Duration::compareTo);
  }

  /**
   * Of the nodes that want an exclusive volume the one that is to have it: who had fewer rounds of
   * tries in vain, of those who has it, else who may have it, else who says that it uses it,
   * because it may have it mounted though all trace of its attachment was removed, else who came
   * first. Null if nobody wants it.
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

  /** The node may have the volume as soon as nobody else has. */
  private static AttachStep provide(NodeView node, AttachView volume, DetachRules rules) {
    if (node.running() != Running.NOTHING) {
      return new AttachStep.Busy(node.node());
    }
    if (node.held() == Held.YES) {
      return new AttachStep.Keep(node.node());
    }
    List<VolumeHolder> others = volume.exclusive() ? others(node, volume, rules) : List.of();
    return others.isEmpty()
        ? new AttachStep.Attach(node.node())
        : new AttachStep.Blocked(node.node(), others);
  }

  /** The node wants a volume that another is to have; if it may have it, it must let go first. */
  private static AttachStep refuse(
      NodeView node, String owner, AttachView volume, DetachRules rules) {
    if (node.running() != Running.NOTHING) {
      return new AttachStep.Busy(node.node());
    }
    if (node.held() == Held.PERHAPS && !node.mayHaveMounted()) {
      return new AttachStep.Detach(
          node.node(), node.inUse() ? Grounds.NEVER_LISTED : Grounds.UNUSED);
    }
    List<VolumeHolder> others = others(node, volume, rules);
    return new AttachStep.Blocked(
        node.node(),
        others.isEmpty()
            ? List.of(new VolumeHolder(owner, VolumeHolder.Why.ATTACHING, null))
            : others);
  }

  /** A node waits for the volume, and the wait for a node with an unconfirmed use is over. */
  private static boolean isPassedOver(NodeView node, AttachView volume, DetachRules rules) {
    return volume.exclusive()
        && rules.forceOnTimeout()
        && node.trace() == Trace.ONLY_IN_USE
        && node.inUse()
        && node.state() == State.READY
        && node.running() == Running.NOTHING
        && rest(node, rules) == null
        && volume.nodes().stream().anyMatch(NodeView::wanted);
  }

  private static AttachStep passOver(NodeView node) {
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
                  VolumeHolder.Why.IN_USE_UNTRACED,
                  rules.forceOnTimeout() ? rest(node, rules) : null)
              : new VolumeHolder(node.node(), VolumeHolder.Why.IN_USE, null));
    }
    if (node.provenDead()) {
      return new AttachStep.Detach(node.node(), Grounds.EVIDENCE);
    }
    VolumeHolder.Why why =
        node.state() == State.GONE
            ? VolumeHolder.Why.IN_USE_GONE
            : VolumeHolder.Why.IN_USE_NOT_READY;
    if (!rules.forceOnTimeout()) {
      return new AttachStep.Hold(new VolumeHolder(node.node(), why, null));
    }
    Duration rest = rest(node, rules);
    return rest == null
        ? new AttachStep.Detach(node.node(), Grounds.TIMEOUT)
        : new AttachStep.Hold(new VolumeHolder(node.node(), why, rest));
  }

  /** How long the node is still waited for; null if it was waited for long enough. */
  private static @Nullable Duration rest(NodeView node, DetachRules rules) {
    Duration waited = node.unwantedFor() == null ? Duration.ZERO : node.unwantedFor();
    return waited.compareTo(rules.patience()) > 0
        ? null
        : rules.patience().minus(waited).plusMillis(1);
  }

  private static List<VolumeHolder> others(NodeView self, AttachView volume, DetachRules rules) {
    List<VolumeHolder> others = new ArrayList<>();
    for (NodeView node : volume.nodes()) {
      if (node != self
          && (node.isHeld() || node.running() != Running.NOTHING || goesFirst(node, self))) {
        others.add(holder(node, rules));
      }
    }
    return List.copyOf(others);
  }

  /** Pods wait there for a kubelet that attaches the volume at any time. */
  private static boolean goesFirst(NodeView node, NodeView self) {
    return node.isUnmanaged() && node.wanted() && !self.isHeld();
  }

  private static VolumeHolder holder(NodeView node, DetachRules rules) {
    if (node.isUnmanaged()) {
      return new VolumeHolder(
          node.node(),
          node.isGone() ? VolumeHolder.Why.NODE_ABSENT : VolumeHolder.Why.UNMANAGED,
          null);
    }
    if (node.running() == Running.ATTACH) {
      return new VolumeHolder(node.node(), VolumeHolder.Why.ATTACHING, null);
    }
    if (node.running() == Running.DETACH) {
      return new VolumeHolder(node.node(), VolumeHolder.Why.DETACHING, null);
    }
    if (node.wanted()) {
      return new VolumeHolder(node.node(), whyWanted(node), null);
    }
    return release(node, rules) instanceof AttachStep.Hold(VolumeHolder holder)
        ? holder
        : new VolumeHolder(node.node(), VolumeHolder.Why.DETACHING, null);
  }

  private static VolumeHolder.Why whyWanted(NodeView node) {
    if (node.held() == Held.PERHAPS && !node.mayHaveMounted()) {
      return VolumeHolder.Why.ATTACHING;
    }
    if (node.isGone()) {
      return VolumeHolder.Why.NODE_ABSENT;
    }
    return node.held() == Held.PERHAPS ? VolumeHolder.Why.UNCERTAIN : VolumeHolder.Why.WANTED;
  }
}
