package dev.mooring.csi.state;

import dev.mooring.model.Uid;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Memory of one outage of a driver: its start, and the objects with an event. Not thread-safe. */
public final class OutageMemory {
  public static final Duration GRACE = Duration.ofSeconds(30);
  public static final Duration REPEAT = Duration.ofMinutes(10);

  private final Set<Uid> reported = new HashSet<>();
  private boolean isAway;
  private long awaySince; // by the monotonic clock
  private long reportedSince;

  public OutageMemory() {}

  public void endOutage() {
    isAway = false;
  }

  /**
   * Records that the driver does not answer.
   *
   * @param now monotonic time in nanoseconds
   * @return whether the outage lasts longer than the grace period
   */
  public boolean continueOutage(long now) {
    if (!isAway || now - reportedSince >= REPEAT.toNanos()) {
      awaySince = isAway ? awaySince : now;
      isAway = true;
      reportedSince = now;
      reported.clear();
    }
    return now - awaySince >= GRACE.toNanos();
  }

  /** Records an event of an object. Returns false if the object has one already. */
  public boolean recordReport(Uid object) {
    return reported.add(object);
  }
}
