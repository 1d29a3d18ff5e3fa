package dev.mooring.storage;

/**
 * How it is written down that a volume grows: all in which those who grow volumes differ about it.
 *
 * @param held what becomes of a condition that held before
 * @param flag whether the claim says if a node has anything to do
 */
public record GrowthPolicy(Held held, NodeFlag flag) {
  /** What becomes of a condition that is set and held before. */
  public enum Held {
    /** It stays what it is, and where it is: it has held since then. */
    STAYS,
    /** It is set anew, behind all others. */
    RENEWED
  }

  /** Whether the claim's annotation {@code node-expansion-not-required} is kept. */
  public enum NodeFlag {
    /** It is written when no node has to grow anything, and taken away before it may have to. */
    WRITTEN,
    /** It is not. */
    NONE
  }

  /** As kube-controller-manager's expand controller. */
  public static final GrowthPolicy IN_TREE = new GrowthPolicy(Held.STAYS, NodeFlag.NONE);

  /** As external-resizer. */
  public static final GrowthPolicy SIDECAR = new GrowthPolicy(Held.RENEWED, NodeFlag.WRITTEN);
}
