package dev.mooring.storage;

/**
 * Differences between the writers of expansion progress.
 *
 * @param existingCondition treatment of a condition that is already set
 * @param nodeFlag whether the claim records that no node expansion is required
 */
public record ExpansionPolicy(ExistingCondition existingCondition, NodeFlag nodeFlag) {
  public enum ExistingCondition {
    STAYS,
    /** Moves the condition to the end with a new transition time. */
    RENEWED
  }

  public enum NodeFlag {
    /** Sets the annotation if no node expansion is required, and removes it before one may be. */
    WRITTEN,
    NONE
  }

  /** Policy of kube-controller-manager's expand controller. */
  public static final ExpansionPolicy IN_TREE =
      new ExpansionPolicy(ExistingCondition.STAYS, NodeFlag.NONE);

  /** Policy of external-resizer. */
  public static final ExpansionPolicy SIDECAR =
      new ExpansionPolicy(ExistingCondition.RENEWED, NodeFlag.WRITTEN);
}
