package dev.mooring.kube;

import dev.mooring.model.Lease;
import dev.mooring.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

// Last observed state of a Lease and the time for which it is unchanged. Not thread-safe.
final class ObservedLease {
  private final Duration defaultDuration;
  private final Time time;
  private @Nullable Lease lease;
  private long unchangedSince;

  ObservedLease(Duration defaultDuration, Time time) {
    this.defaultDuration = defaultDuration;
    this.time = time;
  }

  @Nullable Lease lease() {
    return lease;
  }

  void observe(Lease observed) {
    if (lease == null || !LeaseTerm.isSame(lease, observed)) {
      unchangedSince = time.nanos();
    }
    lease = observed;
  }

  void forget() {
    lease = null;
  }

  // Returns the time until others may acquire the Lease; zero or negative if they may now.
  Duration findTimeToExpiry() {
    if (lease == null) {
      return Duration.ZERO;
    }
    Duration duration =
        lease.durationSeconds() > 0 ? Duration.ofSeconds(lease.durationSeconds()) : defaultDuration;
    return duration.minusNanos(time.nanos() - unchangedSince);
  }

  // An expired Lease that could not be acquired does not shorten the pause.
  Duration limitPause(Duration pause) {
    Duration toExpiry = findTimeToExpiry();
    return toExpiry.isPositive() && toExpiry.compareTo(pause) < 0 ? toExpiry : pause;
  }
}
