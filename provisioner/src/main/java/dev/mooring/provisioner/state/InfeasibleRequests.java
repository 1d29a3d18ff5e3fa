package dev.mooring.provisioner.state;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers requests that the storage rejected as infeasible. They are not repeated for a while,
 * unless the class changes. Thread-safe.
 */
public final class InfeasibleRequests {
  private record Request(Uid storageClass, long endNanos) {}

  private final Map<Uid, Request> byClaim = new ConcurrentHashMap<>();
  private final Duration pause;
  private final Time time;

  InfeasibleRequests(Duration pause, Time time) {
    this.pause = pause;
    this.time = time;
  }

  public Duration pause() {
    return pause;
  }

  public void add(Claim claim, StorageClass storageClass) {
    byClaim.put(
        claim.meta().uid(), new Request(storageClass.meta().uid(), time.nanos() + pause.toNanos()));
  }

  void forget(Uid claim) {
    byClaim.remove(claim);
  }

  public Optional<Duration> remainingPause(Claim claim, StorageClass storageClass) {
    Request request = byClaim.get(claim.meta().uid());
    if (request == null) {
      return Optional.empty();
    }
    long remainingNanos = request.endNanos() - time.nanos();
    if (remainingNanos > 0 && request.storageClass().equals(storageClass.meta().uid())) {
      return Optional.of(Duration.ofNanos(remainingNanos));
    }
    byClaim.remove(claim.meta().uid());
    return Optional.empty();
  }
}
