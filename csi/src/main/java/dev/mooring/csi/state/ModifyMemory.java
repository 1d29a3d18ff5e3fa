package dev.mooring.csi.state;

import dev.mooring.model.Claim;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the driver's last answers to changes of the attributes class. After a restart the
 * driver is called once more. Thread-safe.
 */
public final class ModifyMemory {
  // Class that the driver refused, and the monotonic time until which it is not requested again.
  private record RefusedTarget(String target, long until) {}

  private final Time time;
  private final Duration slowness;
  private final Set<Uid> settled = ConcurrentHashMap.newKeySet();
  private final Map<Uid, RefusedTarget> slow = new ConcurrentHashMap<>();

  public ModifyMemory(Time time, Duration slowness) {
    this.time = time;
    this.slowness = slowness;
  }

  public Duration slowness() {
    return slowness;
  }

  // Reports whether a call may be running. An earlier process may have left one.
  public boolean mayRun(Claim claim) {
    return !settled.contains(claim.meta().uid());
  }

  public void recordAnswer(Claim claim, boolean isFinal) {
    if (isFinal) {
      settled.add(claim.meta().uid());
    } else {
      settled.remove(claim.meta().uid());
    }
  }

  public void recordInfeasible(Claim claim, String target) {
    slow.put(claim.meta().uid(), new RefusedTarget(target, time.nanos() + slowness.toNanos()));
  }

  // Returns the remaining pause before the same class is requested again.
  public Optional<Duration> pause(Claim claim, String target) {
    RefusedTarget refused = slow.get(claim.meta().uid());
    if (refused != null && refused.target().equals(target)) {
      long left = refused.until() - time.nanos();
      if (left > 0) {
        return Optional.of(Duration.ofNanos(left));
      }
    }
    slow.remove(claim.meta().uid());
    return Optional.empty();
  }

  public void forget(Claim claim) {
    settled.remove(claim.meta().uid());
    slow.remove(claim.meta().uid());
  }
}
