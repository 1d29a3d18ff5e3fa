package dev.mooring.provisioner.state;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.NodeRules;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/** Random delays before a node's instance competes for claims. Thread-safe. */
public final class ElectionDelays {
  private record ElectionDelay(int attempts, long endNanos) {}

  private final NodeRules.Instance instance;
  private final DoubleSupplier random;
  private final Time time;
  private final Map<Uid, ElectionDelay> delays = new ConcurrentHashMap<>();

  public ElectionDelays(NodeRules.Instance instance, DoubleSupplier random, Time time) {
    this.instance = instance;
    this.random = random;
    this.time = time;
  }

  /**
   * Returns the rest of the delay, which begins with the first call; not positive if it is over.
   */
  public Duration remaining(Uid claim) {
    return remaining(delays.computeIfAbsent(claim, uid -> startDelay(0)));
  }

  /** Begins the next delay and returns it; always positive. */
  public Duration lengthen(Uid claim) {
    Duration remaining =
        remaining(
            delays.compute(
                claim, (uid, last) -> startDelay(last == null ? 1 : last.attempts() + 1)));
    return remaining.isPositive() ? remaining : Duration.ofNanos(1);
  }

  public void forget(Uid claim) {
    delays.remove(claim);
  }

  private Duration remaining(ElectionDelay delay) {
    return Duration.ofNanos(delay.endNanos() - time.nanos());
  }

  private ElectionDelay startDelay(int attempts) {
    Duration delay = NodeRules.delay(instance, attempts, random.getAsDouble());
    return new ElectionDelay(attempts, time.nanos() + delay.toNanos());
  }
}
