package dev.mooring.csi.execute;

import dev.mooring.csi.decide.ContentView;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks the circuit breaker before a driver deletes the data of a content. Emits one event for
 * each content that is held. Thread-safe.
 *
 * @param fullDelay delay while too many deletions are in progress
 */
public record DeletionAdmission(
    DeletionBreaker breaker, Duration fullDelay, ContentStatusWriter statusWriter) {
  private static final Duration HELD_DELAY = Duration.ofSeconds(15);

  @FunctionalInterface
  interface Deletion {
    Outcome run() throws InterruptedException;
  }

  // Returns an outcome if the breaker holds all deletions, to save the reads for this one.
  Optional<Outcome> checkHold(ContentView content) {
    return breaker.isHolding() ? Optional.of(reportHold(content)) : Optional.empty();
  }

  private Outcome reportHold(ContentView content) {
    if (statusWriter.memory().recordHeldDeletion(content.meta().uid())) {
      statusWriter.emitDeletionFailure(content, breaker.describeHold());
    }
    return new Outcome.CheckAgain(HELD_DELAY);
  }

  Outcome admit(ContentView content, Deletion deletion) throws InterruptedException {
    Uid uid = content.meta().uid();
    return switch (breaker.admit(uid)) {
      case HELD -> reportHold(content);
      case FULL -> new Outcome.CheckAgain(fullDelay);
      case GRANTED -> {
        statusWriter.memory().recordAdmittedDeletion(uid);
        try {
          yield deletion.run();
        } finally {
          breaker.recordNotDestroyed(uid); // no effect after a successful deletion
        }
      }
    };
  }

  void recordDeletion(ContentView content) {
    breaker.recordDestroyed(content.meta().uid());
  }
}
