package dev.mooring.attachdetach.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.NodeFencing;
import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes a node for dead that is not ready and whose kubelet has let its Lease run out and does not
 * renew it while being watched. That proves a silent kubelet, not a machine that is off: it is for
 * clusters where something else (a hypervisor, the storage) keeps silent machines from writing.
 */
public final class LeaseFencing implements NodeFencing {
  private static final String NAMESPACE = "kube-node-lease";

  /** For how long no renewal must be seen by ourselves, whatever the clocks say. */
  static final Duration WATCHED = Duration.ofSeconds(5);

  private record Look(long renewed, long since) {}

  private final LiveReader reader;
  private final Time time;
  private final Map<String, Look> reconciler = new ConcurrentHashMap<>();

  /** Looks there. */
  public LeaseFencing(LiveReader reader, Time time) {
    this.reader = reader;
    this.time = time;
  }

  @Override
  public Verdict assess(String node) {
    try {
      return look(node);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new Verdict.Unproven("stopped while looking");
    }
  }

  /** Nobody asks for that node any more. */
  void forget(String node) {
    reconciler.remove(node);
  }

  private Verdict look(String name) throws InterruptedException {
    switch (reader.read(Kind.NODE, ObjectKey.cluster(name))) {
      case ReadResult.Failed<Node>(String message) -> {
        return new Verdict.Unproven("node " + name + " could not be looked up: " + message);
      }
      case ReadResult.Found<Node>(Node node) when node.isReady() -> {
        reconciler.remove(name);
        return new Verdict.Unproven("node " + name + " is ready");
      }
      case ReadResult.Found<Node> _, ReadResult.Absent<Node> _ -> {}
    }
    return switch (reader.read(Kind.LEASE, ObjectKey.of(NAMESPACE, name))) {
      case ReadResult.Failed<Lease>(String message) ->
          new Verdict.Unproven("the Lease of node " + name + " could not be looked up: " + message);
      case ReadResult.Absent<Lease> _ ->
          new Verdict.Unproven("node " + name + " has no Lease in " + NAMESPACE);
      case ReadResult.Found<Lease>(Lease lease) -> judge(name, lease);
    };
  }

  private Verdict judge(String name, Lease lease) {
    Instant renewed = Instant.EPOCH.plus(lease.renewedMicros(), ChronoUnit.MICROS);
    Instant end = renewed.plusSeconds(lease.durationSeconds());
    if (lease.renewedMicros() == 0 || lease.durationSeconds() <= 0 || end.isAfter(time.now())) {
      reconciler.remove(name);
      return new Verdict.Unproven("the Lease of node " + name + " holds until " + end);
    }
    long now = time.nanos();
    Look look =
        reconciler.compute(
            name,
            (n, before) ->
                before != null && before.renewed() == lease.renewedMicros()
                    ? before
                    : new Look(lease.renewedMicros(), now));
    if (now - look.since() < WATCHED.toNanos()) {
      return new Verdict.Unproven("the Lease of node " + name + " ran out and is being watched");
    }
    return new Verdict.Dead(
        "node "
            + name
            + " is not ready, its Lease ran out at "
            + end.truncatedTo(ChronoUnit.SECONDS)
            + " and was not renewed for "
            + Duration.ofNanos(now - look.since()).toSeconds()
            + " s while watched");
  }
}
