package dev.mooring.populator.state;

import dev.mooring.model.Uid;
import dev.mooring.time.DoublingDelay;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Back-off after failed populator pods. The queue's back-off does not suffice: it is reset while
 * the next pod runs. Thread-safe.
 */
public final class RestartDelays {
  private static final DoublingDelay DELAYS =
      new DoublingDelay(Duration.ofSeconds(1), Duration.ofMinutes(5));

  private record Failures(int count, long endNanos) {}

  private final Time time;
  private final Map<Uid, Failures> failures = new ConcurrentHashMap<>();

  public RestartDelays(Time time) {
    this.time = time;
  }

  public void recordFailure(Uid claim) {
    failures.merge(
        claim,
        createFailures(1),
        (earlier, first) ->
            createFailures(earlier.count() == Integer.MAX_VALUE ? 1 : earlier.count() + 1));
  }

  private Failures createFailures(int count) {
    return new Failures(count, time.nanos() + DELAYS.delayAfter(count).toNanos());
  }

  /** Returns the delay until the next pod; not positive if it may start now. */
  public Duration remaining(Uid claim) {
    Failures earlier = failures.get(claim);
    return earlier == null ? Duration.ZERO : Duration.ofNanos(earlier.endNanos() - time.nanos());
  }

  public void forget(Uid claim) {
    failures.remove(claim);
  }
}
