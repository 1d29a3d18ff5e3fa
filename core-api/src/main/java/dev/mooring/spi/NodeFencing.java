package dev.mooring.spi;

/**
 * Proves that a node is dead: it is not merely unreachable, but can no longer write to its volumes.
 * The host calls it only with {@code --failover=evidence}, for nodes that are not ready or have its
 * out-of-service taint. A {@link Verdict.Dead} allows another node to attach an exclusive volume,
 * so return {@link Verdict.Unproven} when in doubt. A tainted node that started again keeps its
 * taint while the verdict is {@link Verdict.Dead}.
 *
 * <p>Threads: called from many threads. May block for some seconds; on interrupt, return {@link
 * Verdict.Unproven}.
 */
@FunctionalInterface
public interface NodeFencing {
  /** Checks the node's current state. Must not reuse results from before the node failed. */
  Verdict assess(String node);

  /**
   * Returns what a proof covers. With {@code --mode=beside} only proofs of {@link Scope#MACHINE}
   * count: kube-controller-manager then detaches the volumes of all drivers and deletes the node's
   * pods. Must always return the same value.
   */
  default Scope scope() {
    return Scope.VOLUMES;
  }

  /** What a {@link Verdict.Dead} covers. */
  enum Scope {
    /** The node cannot write to this plugin's volumes. Its machine may still run. */
    VOLUMES,
    /** The machine is off, so that no pod of the node runs. Its next start has a new boot id. */
    MACHINE
  }

  /** Result of an assessment. */
  sealed interface Verdict {
    /**
     * The node is dead.
     *
     * @param evidence proof, recorded in the audit log
     */
    record Dead(String evidence) implements Verdict {}

    /**
     * The node may be alive.
     *
     * @param reason evidence against its death, or the missing information
     */
    record Unproven(String reason) implements Verdict {}
  }
}
