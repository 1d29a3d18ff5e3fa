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
 * Asks the circuit breaker before a driver deletes the data of a content. Emits one event for each
 * content that is held. Thread-safe.
 *
 * @param <C> the contents
 */
final class DeletionAdmission<C extends Resource> {
  private static final Duration WHILE_HELD = Duration.ofSeconds(15);

  /** Deletes the data. */
  @FunctionalInterface
  interface Deletion {
    Outcome run() throws InterruptedException;
  }

  /** Emits an event that the data of a content is not deleted. */
  @FunctionalInterface
  interface Report<C> {
    void notDeleted(C content, String why);
  }

  private final DeletionBreaker breaker;
  private final Duration whileFull;
  private final Report<C> report;
  private final Set<Uid> held = ConcurrentHashMap.newKeySet(); // their events are emitted

  DeletionAdmission(DeletionBreaker breaker, Duration whileFull, Report<C> report) {
    this.breaker = breaker;
    this.whileFull = whileFull;
    this.report = report;
  }

  /** Empty unless all deletions are held: then nothing has to be read for this one. */
  Optional<Outcome> held(C content) {
    return breaker.isHolding() ? Optional.of(hold(content)) : Optional.empty();
  }

  private Outcome hold(C content) {
    if (held.add(content.meta().uid())) {
      report.notDeleted(content, breaker.told());
    }
    return new Outcome.CheckAgain(WHILE_HELD);
  }

  /** Runs the deletion if the breaker admits it. */
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
          breaker.spared(uid); // without effect once it is destroyed
        }
      }
    };
  }

  void destroyed(C content) {
    breaker.destroyed(content.meta().uid());
  }

  void forget(C content) {
    held.remove(content.meta().uid());
  }
}
