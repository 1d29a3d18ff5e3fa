package bad.mooring.binder.execute;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** R16: remembers claims outside of {@code state}, and bundles its arguments. */
final class BadMemory {
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Listeners listeners;

  BadMemory(Listeners listeners) {
    this.listeners = listeners;
  }

  void recordFailure(String claim) {
    attempts.merge(claim, 1, Integer::sum);
    listeners.failureListener().accept(claim);
  }

  record Listeners(Consumer<String> failureListener, Runnable endListener) {}
}
