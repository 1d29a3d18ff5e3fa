package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import java.time.Duration;

/**
 * Whose turn a claim is where each node has an instance of its own (spec/csi-bridge.md 5.6): the
 * selected node's. A claim of a class that binds at once has none at first: whichever instance
 * first writes its node onto the claim makes the volume.
 */
public final class NodeRules {
  private static final int MOST_DOUBLINGS = 30;

  /**
   * This instance.
   *
   * @param node its node
   * @param immediateToo whether it stands for election for claims that nobody selects a node for
   * @param baseDelay how long it waits before it stands for the first time; doubled every time
   * @param maxDelay how long at most
   */
  public record Instance(
      String node, boolean immediateToo, Duration baseDelay, Duration maxDelay) {}

  /** Whose turn it is. */
  public enum Responsibility {
    /** This node's. */
    OURS,
    /** Another's, or nobody's yet. */
    OTHERS,
    /** Whose node is first on the claim. */
    OPEN
  }

  private NodeRules() {}

  /** Of a claim for which a volume is to be made. */
  public static Responsibility turn(Claim claim, StorageClass storageClass, Instance instance) {
    if (isSelected(claim)) {
      return isElsewhere(claim, instance) ? Responsibility.OTHERS : Responsibility.OURS;
    }
    boolean open =
        storageClass.binding() == StorageClass.Binding.IMMEDIATE
            && instance.immediateToo()
            && (!claim.meta().isBeingDeleted() || ClaimRules.isBeingMade(claim));
    return open ? Responsibility.OPEN : Responsibility.OTHERS;
  }

  /** Whether another node was selected for the claim. */
  public static boolean isElsewhere(Claim claim, Instance instance) {
    return isSelected(claim)
        && !claim.meta().annotation(ClaimRules.SELECTED_NODE).equals(instance.node());
  }

  private static boolean isSelected(Claim claim) {
    return !claim.meta().annotation(ClaimRules.SELECTED_NODE).isEmpty();
  }

  /**
   * How long to wait before standing for election.
   *
   * @param before how often it was tried before
   * @param chance from 0 to 1: by how much of the base delay it is shorter, so that not all
   *     instances come at once
   */
  public static Duration delay(Instance instance, int before, double chance) {
    long base = instance.baseDelay().toNanos();
    long most = Math.max(base, instance.maxDelay().toNanos());
    int doublings = Math.min(before, MOST_DOUBLINGS);
    long delay = base > most >> doublings ? most : base << doublings;
    return Duration.ofNanos(Math.max(0, delay - (long) (base * chance)));
  }
}
