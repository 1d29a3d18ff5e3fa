package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a node is dead. Mooring detaches volumes from a dead node even if its status
 * lists them in use. A node is dead if it is not ready and its kubelet does not renew its Lease for
 * the whole duration of that Lease. Only the watcher's monotonic clock counts: the clocks of
 * kubelets and of this machine may differ by any amount. Ids in comments are the rows of {@code
 * docs/dev/live-verdicts.md}.
 */
public final class LeaseCheck {
  /**
   * Maximum time between two answers. After a longer gap the observation starts over, because the
   * kubelet may not have reached the API server either.
   */
  public static final Duration MAX_GAP = Duration.ofSeconds(10);

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final String NAMESPACE = "kube-node-lease";

  /**
   * Lease under watch.
   *
   * @param renewedMicros last renewal by the kubelet's clock, in microseconds
   * @param firstReadNanos time of the first read of that renewal, in nanoseconds of the monotonic
   *     clock
   * @param lastReadNanos time of its last read, by the same clock
   */
  public record WatchedLease(long renewedMicros, long firstReadNanos, long lastReadNanos) {}

  public sealed interface LeaseVerdict {
    // the node is alive; earlier observations no longer count
    record Alive(String reason) implements LeaseVerdict {}

    // The server did not answer. The observation starts over: the kubelet may not have reached it.
    record Unknown(String message) implements LeaseVerdict {}

    record Watch(WatchedLease lease, String reason) implements LeaseVerdict {}

    record Dead(String evidence) implements LeaseVerdict {}
  }

  private LeaseCheck() {}

  public static Step<LeaseVerdict> decide(
      String nodeName, Optional<WatchedLease> watchedLease, long nanos, LiveFacts live) {
    ObjectKey key = ObjectKey.cluster(nodeName);
    return switch (live.of(Kind.NODE, key)) {
      case Fact.NotAsked<Node> _ -> Step.ask(Kind.NODE, key); // N0
      case Fact.Unknown<Node>(String message) -> // N1
          createUnknown("node " + nodeName + " could not be read: " + message);
      case Fact.Present<Node>(Node node) when node.isReady() -> // N2
          Step.decided(new LeaseVerdict.Alive("node " + nodeName + " is ready"));
      case Fact.Present<Node> _, Fact.Absent<Node> _ ->
          decideByLease(nodeName, watchedLease, nanos, live);
    };
  }

  private static Step<LeaseVerdict> decideByLease(
      String nodeName, Optional<WatchedLease> watchedLease, long nanos, LiveFacts live) {
    ObjectKey key = ObjectKey.of(NAMESPACE, nodeName);
    return switch (live.of(Kind.LEASE, key)) {
      case Fact.NotAsked<Lease> _ -> Step.ask(Kind.LEASE, key);
      case Fact.Unknown<Lease>(String message) -> // N3
          createUnknown("the Lease of node " + nodeName + " could not be read: " + message);
      case Fact.Absent<Lease> _ -> // N4
          createUnknown("node " + nodeName + " has no Lease in " + NAMESPACE);
      case Fact.Present<Lease>(Lease lease) ->
          Step.decided(decideByLease(nodeName, lease, watchedLease, nanos));
    };
  }

  private static Step<LeaseVerdict> createUnknown(String message) {
    return Step.decided(new LeaseVerdict.Unknown(message));
  }

  private static LeaseVerdict decideByLease(
      String nodeName, Lease lease, Optional<WatchedLease> watchedLease, long nanos) {
    long micros = lease.renewedMicros();
    if (micros == 0 || lease.durationSeconds() <= 0) {
      return new LeaseVerdict.Alive("the Lease of node " + nodeName + " does not expire"); // N5
    }
    long firstReadNanos =
        watchedLease
            .filter(w -> w.renewedMicros() == micros) // N6: otherwise it was renewed
            .filter(w -> nanos - w.lastReadNanos() <= MAX_GAP.toNanos()) // N9
            .map(WatchedLease::firstReadNanos)
            .orElse(nanos);
    long silentNanos = nanos - firstReadNanos;
    return silentNanos < Duration.ofSeconds(lease.durationSeconds()).toNanos()
        ? new LeaseVerdict.Watch( // N7
            new WatchedLease(micros, firstReadNanos, nanos),
            "the Lease of node " + nodeName + " is being watched")
        : new LeaseVerdict.Dead( // N8
            "node "
                + nodeName
                + " is not ready, and its Lease of "
                + lease.durationSeconds()
                + " s, renewed last at "
                + Instant.ofEpochSecond(Math.floorDiv(micros, MICROS_PER_SECOND))
                + " by the node's clock, was not renewed for "
                + Duration.ofNanos(silentNanos).toSeconds()
                + " s of observation");
  }
}
