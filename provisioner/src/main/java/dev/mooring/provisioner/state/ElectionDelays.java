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
  private record Wait(int before, long until) {}

  private final NodeRules.Instance instance;
  private final DoubleSupplier chance;
  private final Time time;
  private final Map<Uid, Wait> waits = new ConcurrentHashMap<>();

  public ElectionDelays(NodeRules.Instance instance, DoubleSupplier chance, Time time) {
    this.instance = instance;
    this.chance = chance;
    this.time = time;
  }

  /**
   * Returns the rest of the delay, which begins with the first call; not positive if it is over.
   */
  public Duration left(Uid claim) {
    return left(waits.computeIfAbsent(claim, uid -> after(0)));
  }

  /** Begins the next delay and returns it; always positive. */
  public Duration lengthen(Uid claim) {
    Duration left =
        left(waits.compute(claim, (uid, last) -> after(last == null ? 1 : last.before() + 1)));
    return left.isPositive() ? left : Duration.ofNanos(1);
  }

  public void forget(Uid claim) {
    waits.remove(claim);
  }

  private Duration left(Wait wait) {
    return Duration.ofNanos(wait.until() - time.nanos());
  }

  private Wait after(int before) {
    Duration delay = NodeRules.delay(instance, before, chance.getAsDouble());
    return new Wait(before, time.nanos() + delay.toNanos());
  }
}
