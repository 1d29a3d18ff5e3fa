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
 * @param whileFull delay while too many deletions are in progress
 */
public record DeletionAdmission(
    DeletionBreaker breaker, Duration whileFull, ContentStatusWriter statusWriter) {
  private static final Duration WHILE_HELD = Duration.ofSeconds(15);

  @FunctionalInterface
  interface Deletion {
    Outcome run() throws InterruptedException;
  }

  // Returns an outcome if the breaker holds all deletions, to save the reads for this one.
  Optional<Outcome> held(ContentView content) {
    return breaker.isHolding() ? Optional.of(hold(content)) : Optional.empty();
  }

  private Outcome hold(ContentView content) {
    if (statusWriter.memory().deletionHeld(content.meta().uid())) {
      statusWriter.deletionFailed(content, breaker.describeHold());
    }
    return new Outcome.CheckAgain(WHILE_HELD);
  }

  Outcome admit(ContentView content, Deletion deletion) throws InterruptedException {
    Uid uid = content.meta().uid();
    return switch (breaker.admit(uid)) {
      case HELD -> hold(content);
      case FULL -> new Outcome.CheckAgain(whileFull);
      case GRANTED -> {
        statusWriter.memory().deletionAdmitted(uid);
        try {
          yield deletion.run();
        } finally {
          breaker.spared(uid); // no effect after a successful deletion
        }
      }
    };
  }

  void deleted(ContentView content) {
    breaker.destroyed(content.meta().uid());
  }
}
