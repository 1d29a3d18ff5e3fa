package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LeaseCheck;
import dev.mooring.attachdetach.decide.LeaseCheck.LeaseVerdict;
import dev.mooring.attachdetach.decide.LeaseCheck.WatchedLease;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.live.LiveFacts;
import dev.mooring.spi.NodeFencing;
import dev.mooring.time.Time;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads nodes and their Leases, and remembers which Leases are under watch; {@link LeaseCheck}
 * decides. A proof shows a silent kubelet, not a machine that is off. Use it in clusters where a
 * hypervisor or the storage keeps silent machines from writing.
 */
public final class LeaseFencing implements NodeFencing {
  private final LiveReader reader;
  private final Time time;
  private final Map<String, WatchedLease> watched = new ConcurrentHashMap<>();

  public LeaseFencing(LiveReader reader, Time time) {
    this.reader = reader;
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

  void forget(String node) {
    watched.remove(node);
  }

  private Verdict check(String name) throws InterruptedException {
    LeaseVerdict verdict =
        LiveDecisions.decide(
            reader,
            LiveFacts.NONE,
            live ->
                LeaseCheck.decide(
                    name, Optional.ofNullable(watched.get(name)), time.nanos(), live));
    return switch (verdict) {
      case LeaseVerdict.Alive(String why) -> {
        watched.remove(name);
        yield new Verdict.Unproven(why);
      }
      case LeaseVerdict.CannotTell(String why) -> {
        watched.remove(name);
        yield new Verdict.Unproven(why);
      }
      case LeaseVerdict.Watch(WatchedLease now, String why) -> {
        watched.put(name, now);
        yield new Verdict.Unproven(why);
      }
      case LeaseVerdict.Dead(String evidence) -> new Verdict.Dead(evidence);
    };
  }
}
