package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import java.time.Duration;

/**
 * Decides which node's instance provisions a claim, as external-provisioner does if it is deployed
 * on each node. With a selected node, that node's instance provisions. Without one, the first
 * instance that writes its node to the claim does.
 */
public final class NodeRules {
  private static final int MAX_DOUBLINGS = 30;

  /**
   * Settings of this node's instance.
   *
   * @param node node name
   * @param servesImmediate whether to compete for claims without a selected node
   * @param baseDelay delay before the first attempt; doubles with each attempt
   * @param maxDelay maximum delay
   */
  public record Instance(
      String node, boolean servesImmediate, Duration baseDelay, Duration maxDelay) {}

  public enum Responsibility {
    OURS,
    OTHERS,
    /** The first instance that writes its node to the claim provisions. */
    OPEN
  }

  private NodeRules() {}

  public static Responsibility decideResponsibility(
      Claim claim, StorageClass storageClass, Instance instance) {
    if (isSelected(claim)) {
      return isElsewhere(claim, instance) ? Responsibility.OTHERS : Responsibility.OURS;
    }
    boolean isOpen =
        storageClass.binding() == StorageClass.Binding.IMMEDIATE
            && instance.servesImmediate()
            && (!claim.meta().isBeingDeleted() || ClaimRules.isBeingMade(claim));
    return isOpen ? Responsibility.OPEN : Responsibility.OTHERS;
  }

  public static boolean isElsewhere(Claim claim, Instance instance) {
    return isSelected(claim)
        && !claim.meta().annotation(ClaimRules.SELECTED_NODE).equals(instance.node());
  }

  private static boolean isSelected(Claim claim) {
    return !claim.meta().annotation(ClaimRules.SELECTED_NODE).isEmpty();
  }

  /**
   * Returns the delay before competing for a claim.
   *
   * @param attempts number of earlier attempts
   * @param random random number from 0 to 1; shortens the delay by this share of the base delay, so
   *     that instances do not compete at the same time
   */
  public static Duration delay(Instance instance, int attempts, double random) {
    long base = instance.baseDelay().toNanos();
    long maximum = Math.max(base, instance.maxDelay().toNanos());
    int doublings = Math.min(attempts, MAX_DOUBLINGS);
    long delay = base > maximum >> doublings ? maximum : base << doublings;
    return Duration.ofNanos(Math.max(0, delay - (long) (base * random)));
  }
}
