package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LeaseCheck;
import dev.mooring.attachdetach.decide.LeaseCheck.LeaseVerdict;
import dev.mooring.attachdetach.decide.LeaseCheck.WatchedLease;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.live.LiveFacts;
import dev.mooring.spi.NodeFencing;
import dev.mooring.time.Time;

/**
 * Reads nodes and their Leases; {@link LeaseCheck} decides. A proof shows a silent kubelet, not a
 * machine that is off. Use it in clusters where a hypervisor or the storage keeps silent machines
 * from writing.
 */
public final class LeaseFencing implements NodeFencing {
  private final LiveReader reader;
  private final Time time;
  private final SuspectNodes suspects;

  public LeaseFencing(LiveReader reader, SuspectNodes suspects, Time time) {
    this.reader = reader;
    this.suspects = suspects;
    this.time = time;
  }

  @Override
  public Verdict assess(String node) {
    try {
      return check(node);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new Verdict.Unproven("interrupted during the check");
    }
  }

  private Verdict check(String node) throws InterruptedException {
    LeaseVerdict verdict =
        LiveDecisions.decide(
            reader,
            LiveFacts.NONE,
            live -> LeaseCheck.decide(node, suspects.lease(node), time.nanos(), live));
    return switch (verdict) {
      case LeaseVerdict.Alive(String reason) -> {
        suspects.forgetLease(node);
        yield new Verdict.Unproven(reason);
      }
      case LeaseVerdict.Unknown(String message) -> {
        suspects.forgetLease(node);
        yield new Verdict.Unproven(message);
      }
      case LeaseVerdict.Watch(WatchedLease lease, String reason) -> {
        suspects.watchLease(node, lease);
        yield new Verdict.Unproven(reason);
      }
      case LeaseVerdict.Dead(String evidence) -> new Verdict.Dead(evidence);
    };
  }
}
