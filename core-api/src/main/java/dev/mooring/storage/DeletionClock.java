package dev.mooring.storage;

import dev.mooring.cluster.ClusterPorts;
import java.time.Duration;
import java.time.Instant;

// The clocks of this machine and of the API server. One of them may be wrong, so the later one
// determines a new deadline, and the earlier one whether a deadline has passed.
public record DeletionClock(ClusterPorts ports) {
  public Instant earliest() {
    Duration ahead = ports.reader().clockAhead();
    return ports.time().now().plus(ahead.isNegative() ? ahead : Duration.ZERO);
  }

  private Instant latest() {
    Duration ahead = ports.reader().clockAhead();
    return ports.time().now().plus(ahead.isNegative() ? Duration.ZERO : ahead);
  }

  public Instant decisionTime(boolean isCondemned) {
    return isCondemned ? earliest() : latest();
  }
}
