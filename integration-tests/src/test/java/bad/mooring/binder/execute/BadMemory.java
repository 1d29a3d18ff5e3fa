package bad.mooring.binder.execute;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * R14, R16: doubles a delay, remembers claims outside of {@code state}, and bundles its arguments.
 */
final class BadMemory {
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Listeners listeners;
  private Duration delay = Duration.ofSeconds(1);

  BadMemory(Listeners listeners) {
    this.listeners = listeners;
  }

  void recordFailure(String claim) {
    attempts.merge(claim, 1, Integer::sum);
    delay = delay.multipliedBy(2);
    listeners.failureListener().accept(claim);
  }

  record Listeners(Consumer<String> failureListener, Runnable endListener) {}
}
