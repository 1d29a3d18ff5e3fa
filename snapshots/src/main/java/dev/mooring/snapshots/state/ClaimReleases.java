package dev.mooring.snapshots.state;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims from which this process is removing the finalizer. A live read during such a write still
 * shows the finalizer, so no content may be created then. Thread-safe.
 */
public final class ClaimReleases {
  /** Decides whether to release a claim, and writes. */
  @FunctionalInterface
  public interface Release {
    Outcome run() throws InterruptedException;
  }

  private final Set<ObjectKey> running = ConcurrentHashMap.newKeySet();

  /**
   * Runs a release. Its decision must follow this call: a snapshot that is visible by then prevents
   * the release, and one that appears later finds the claim in {@link #findRunning}.
   */
  public Outcome run(ObjectKey claim, Release release) throws InterruptedException {
    running.add(claim);
    try {
      return release.run();
    } finally {
      running.remove(claim);
    }
  }

  public Optional<ObjectKey> findRunning(Iterable<Claim> claims) {
    for (Claim claim : claims) {
      if (running.contains(claim.key())) {
        return Optional.of(claim.key());
      }
    }
    return Optional.empty();
  }
}
