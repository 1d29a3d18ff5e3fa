package dev.mooring.reconcile;

import dev.mooring.informer.Informer;
import dev.mooring.reconcile.StoppedPart.RefusedKind;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Caches that a controller, or an optional part of it, needs. Logs once if the API server refuses
 * one of them, and once when all are complete. Thread-safe.
 */
final class PartCaches {
  private static final System.Logger LOG = System.getLogger(PartCaches.class.getName());

  private final String name;
  private final List<Informer<?>> caches;
  private Runnable onComplete = () -> {}; // guarded by this
  private boolean isReported; // guarded by this
  private boolean isFinished; // guarded by this

  PartCaches(String name, List<Informer<?>> caches) {
    this.name = name;
    this.caches = List.copyOf(caches);
  }

  boolean areComplete() {
    return caches.stream().allMatch(Informer::isSynced);
  }

  // The action runs once and must not block.
  void onComplete(Runnable action) {
    synchronized (this) {
      onComplete = action;
    }
    caches.forEach(cache -> cache.onAnswer(this::check));
    check();
  }

  private synchronized void check() {
    if (isFinished) {
      return;
    }
    if (areComplete()) {
      isFinished = true;
      if (isReported) {
        LOG.log(Level.INFO, () -> name + " starts: the API server lists all kinds that it needs");
      }
      onComplete.run();
    } else if (!isReported) {
      findStop().ifPresent(this::report);
    }
  }

  private void report(StoppedPart part) {
    isReported = true;
    LOG.log(
        part.lacksRights() ? Level.WARNING : Level.INFO,
        () -> part.describe() + "; " + part.remedy());
  }

  // Empty until the API server has answered for all kinds.
  Optional<StoppedPart> findStop() {
    List<RefusedKind> refusedKinds = new ArrayList<>();
    for (Informer<?> cache : caches) {
      if (!cache.isSynced()) {
        if (cache.refusal().isEmpty()) {
          return Optional.empty();
        }
        refusedKinds.add(new RefusedKind(cache.kind(), cache.refusal().get()));
      }
    }
    return refusedKinds.isEmpty()
        ? Optional.empty()
        : Optional.of(new StoppedPart(name, refusedKinds));
  }
}
