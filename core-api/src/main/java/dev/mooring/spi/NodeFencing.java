package dev.mooring.spi;

/**
 * Finds out whether a node is dead: not merely silent, but unable to write to its volumes any more.
 * Asked only about nodes that are not ready, and only where evidence is to count ({@code
 * --failover=evidence}); what it says decides whether another node gets an exclusive volume, so
 * when in doubt it must say {@link Verdict.Unproven}.
 *
 * <p>Threads: many. May block for some seconds; on interrupt return {@link Verdict.Unproven}.
 */
@FunctionalInterface
public interface NodeFencing {
  /** Looks at the node at this moment; nothing may be remembered from when it was well. */
  Verdict assess(String node);

  /** What was found. */
  sealed interface Verdict {
    /**
     * The node is dead.
     *
     * @param evidence what proves it, for the audit record
     */
    record Dead(String evidence) implements Verdict {}

    /**
     * It is not, or nobody can tell.
     *
     * @param why what speaks against it, or is not known
     */
    record Unproven(String why) implements Verdict {}
  }
}
