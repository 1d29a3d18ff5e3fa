package dev.mooring.csi.execute;

import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks the circuit breaker before a driver deletes the data of a content. Emits one event for
 * each content that is held. Thread-safe.
 *
 * @param <C> type of the contents
 */
final class DeletionAdmission<C extends Resource> {
  private static final Duration WHILE_HELD = Duration.ofSeconds(15);

  @FunctionalInterface
  interface Deletion {
    Outcome run() throws InterruptedException;
  }

  @FunctionalInterface
  interface HeldReport<C> {
    void notDeleted(C content, String why);
  }

  private final DeletionBreaker breaker;
  private final Duration whileFull;
  private final HeldReport<C> report;
  private final Set<Uid> held = ConcurrentHashMap.newKeySet(); // contents whose event was emitted

  DeletionAdmission(DeletionBreaker breaker, Duration whileFull, HeldReport<C> report) {
    this.breaker = breaker;
    this.whileFull = whileFull;
    this.report = report;
  }

  // Returns an outcome if the breaker holds all deletions, to save the reads for this one.
  Optional<Outcome> held(C content) {
    return breaker.isHolding() ? Optional.of(hold(content)) : Optional.empty();
  }

  private Outcome hold(C content) {
    if (held.add(content.meta().uid())) {
      report.notDeleted(content, breaker.describeHold());
    }
    return new Outcome.CheckAgain(WHILE_HELD);
  }

  Outcome admit(C content, Deletion deletion) throws InterruptedException {
    Uid uid = content.meta().uid();
    return switch (breaker.admit(uid)) {
      case HELD -> hold(content);
      case FULL -> new Outcome.CheckAgain(whileFull);
      case GRANTED -> {
        held.remove(uid);
        try {
          yield deletion.run();
        } finally {
          breaker.spared(uid); // no effect after a successful deletion
        }
      }
    };
  }

  void deleted(C content) {
    breaker.destroyed(content.meta().uid());
  }

  void forget(C content) {
    held.remove(content.meta().uid());
  }
}
