package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.NodeView.State;
import dev.mooring.attachdetach.decide.Step.Grounds;
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
 */
public final class AttachDecider {
  private static final Comparator<NodeView> OWNERS =
      Comparator.comparing(NodeView::turns, Comparator.reverseOrder())
          .thenComparing(NodeView::held)
          .thenComparing(NodeView::inUse);

  private AttachDecider() {}

  /** Decides; one step per node, in the view's order. */
  public static List<Step> decide(VolumeView volume, Rules rules) {
    String owner = volume.exclusive() ? owner(volume) : null;
    List<Step> steps = new ArrayList<>(volume.nodes().size());
    for (NodeView node : volume.nodes()) {
      if (!node.wanted()) {
        if (node.isHeld() || node.running() != Running.NOTHING) {
          steps.add(release(node, rules));
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
  public static Optional<Duration> lookAgain(List<Step> steps) {
    return steps.stream()
        .flatMap(step ->
            step instanceof Step.Hold(Holder holder)
                ? Optional.ofNullable(holder.until()).stream()
                : Stream.empty())
        .min(Duration::compareTo);
  }

  /**
   * Of the nodes that want an exclusive volume the one that is to have it: who had fewer turns in
   * vain, of those who has it, else who may have it, else who says that it uses it, because it may
   * have it mounted though all trace of its attachment was removed, else who came first. Null if
   * nobody wants it.
   */
  private static @Nullable String owner(VolumeView volume) {
    NodeView owner = null;
    for (NodeView node : volume.nodes()) {
      if (node.wanted() && (owner == null || OWNERS.compare(node, owner) > 0)) {
        owner = node;
      }
    }
    return owner == null ? null : owner.node();
  }

  /** The node may have the volume as soon as nobody else has. */
  private static Step provide(NodeView node, VolumeView volume, Rules rules) {
    if (node.running() != Running.NOTHING) {
      return new Step.Busy(node.node());
    }
    if (node.held() == Held.YES) {
      return new Step.Keep(node.node());
    }
    List<Holder> others = volume.exclusive() ? others(node, volume, rules) : List.of();
    return others.isEmpty() ? new Step.Attach(node.node()) : new Step.Blocked(node.node(), others);
  }

  /** The node wants a volume that another is to have; if it may have it, it must let go first. */
  private static Step refuse(NodeView node, String owner, VolumeView volume, Rules rules) {
    if (node.running() != Running.NOTHING) {
      return new Step.Busy(node.node());
    }
    if (node.held() == Held.PERHAPS && !node.inUse()) {
      return new Step.Detach(node.node(), Grounds.UNUSED);
    }
    List<Holder> others = others(node, volume, rules);
    return new Step.Blocked(
        node.node(),
        others.isEmpty() ? List.of(new Holder(owner, Holder.Why.ATTACHING, null)) : others);
  }

  private static Step release(NodeView node, Rules rules) {
    if (node.running() != Running.NOTHING) {
      return new Step.Busy(node.node());
    }
    if (!node.inUse()) {
      return new Step.Detach(node.node(), Grounds.UNUSED);
    }
    if (node.outOfService()) {
      return new Step.Detach(node.node(), Grounds.OUT_OF_SERVICE);
    }
    if (node.state() == State.READY) {
      return new Step.Hold(new Holder(node.node(), Holder.Why.IN_USE, null));
    }
    if (node.provenDead()) {
      return new Step.Detach(node.node(), Grounds.EVIDENCE);
    }
    Holder.Why why =
        node.state() == State.GONE ? Holder.Why.IN_USE_GONE : Holder.Why.IN_USE_NOT_READY;
    if (!rules.forceOnTimeout()) {
      return new Step.Hold(new Holder(node.node(), why, null));
    }
    Duration waited = node.unwantedFor() == null ? Duration.ZERO : node.unwantedFor();
    return waited.compareTo(rules.patience()) > 0
        ? new Step.Detach(node.node(), Grounds.TIMEOUT)
        : new Step.Hold(new Holder(node.node(), why, rules.patience().minus(waited).plusMillis(1)));
  }

  private static List<Holder> others(NodeView self, VolumeView volume, Rules rules) {
    List<Holder> others = new ArrayList<>();
    for (NodeView node : volume.nodes()) {
      if (node != self && (node.isHeld() || node.running() != Running.NOTHING)) {
        others.add(holder(node, rules));
      }
    }
    return List.copyOf(others);
  }

  private static Holder holder(NodeView node, Rules rules) {
    if (node.running() == Running.ATTACH) {
      return new Holder(node.node(), Holder.Why.ATTACHING, null);
    }
    if (node.running() == Running.DETACH) {
      return new Holder(node.node(), Holder.Why.DETACHING, null);
    }
    if (node.wanted()) {
      return new Holder(
          node.node(),
          node.held() == Held.PERHAPS && !node.inUse() ? Holder.Why.ATTACHING : Holder.Why.WANTED,
          null);
    }
    return release(node, rules) instanceof Step.Hold(Holder holder)
        ? holder
        : new Holder(node.node(), Holder.Why.DETACHING, null);
  }
}
