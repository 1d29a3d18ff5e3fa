package dev.mooring.attachdetach.state;

import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

// Remembers since when plugins report restarted nodes as off. A plugin may notice a restart late.
// Thread-safe.
public final class LastingProofs {
  private static final Duration MIN_DURATION = Duration.ofMinutes(1);

  // time: nanoseconds of the monotonic clock
  private record FirstProof(String boot, long time) {}

  private final Map<ObjectKey, FirstProof> firstProofs = new ConcurrentHashMap<>();

  // Records a proof; returns whether proofs for that boot have lasted for the minimum time.
  public boolean recordProof(ObjectKey node, String boot, long now) {
    FirstProof first =
        firstProofs.merge(
            node,
            new FirstProof(boot, now),
            (earlier, proof) -> earlier.boot().equals(boot) ? earlier : proof);
    return now - first.time() >= MIN_DURATION.toNanos();
  }

  public void forget(ObjectKey node) {
    firstProofs.remove(node);
  }
}
