package dev.mooring.spi;

/**
 * Proves that a node is dead: it is not merely unreachable, but can no longer write to its volumes.
 * The host calls it only for nodes that are not ready, and only with {@code --failover=evidence}. A
 * {@link Verdict.Dead} allows another node to attach an exclusive volume, so return {@link
 * Verdict.Unproven} when in doubt.
 *
 * <p>Threads: called from many threads. May block for some seconds; on interrupt, return {@link
 * Verdict.Unproven}.
 */
@FunctionalInterface
public interface NodeFencing {
  /** Checks the node's current state. Must not reuse results from before the node failed. */
  Verdict assess(String node);

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
