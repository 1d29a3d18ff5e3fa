package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.TakeBackVerdict;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Making;
import dev.mooring.storage.VolumeService.Order;
import java.time.Duration;

/** Saves volumes that were made (spec/provisioner-lib.md 4.4). Thread-safe; blocks. */
final class SaveWork {
  private static final Duration FIRST_SAVE = Duration.ofSeconds(1);
  private static final Duration LAST_SAVE = Outcome.UNANSWERED_LONGEST;
  private static final int TAKE_BACKS = 5;
  private static final Duration BETWEEN_TAKE_BACKS = Duration.ofSeconds(10);

  /** How the saving ended. */
  sealed interface End {}

  /** It is saved. */
  record Saved() implements End {}

  /** It is not, and was destroyed as far as that was possible. */
  record Refused(String why) implements End {}

  /** It may be: the server did not say. */
  record Unknown(String why) implements End {}

  private final ClusterPorts ports;
  private final ProvisionListeners listeners;

  SaveWork(ClusterPorts ports, ProvisionListeners listeners) {
    this.ports = ports;
    this.listeners = listeners;
  }

  /**
   * Saves it. A volume that exists is saved whatever it takes. Only if the server refuses it for
   * good it is destroyed again.
   */
  End save(Order order, Making.Made made, long since) throws InterruptedException {
    Claim claim = order.claim();
    Document object = made.object();
    VolumeDocuments.complete(order, object);
    Duration wait = FIRST_SAVE;
    while (true) {
      WriteResult<Volume> result =
          ports.writer().create(Kind.VOLUME, ObjectKey.cluster(order.volumeName()), object);
      switch (result) {
        // it is there, from an earlier attempt; unless the server says so of what is not
        case WriteResult.Conflict<Volume> _ when isUnsaved(order) -> wait = slept(wait);
        case WriteResult.Written<Volume> _, WriteResult.Conflict<Volume> _ -> {
          listeners.stats().provisioned(order.storageClass().meta().name(), true, since);
          listeners.reporter().succeeded(claim, order.volumeName());
          return new Saved();
        }
        case WriteResult.Rejected<Volume>(int code, String message) -> {
          listeners.stats().provisioned(order.storageClass().meta().name(), false, since);
          return rejected(order, made, "the server refused it (" + code + "): " + message);
        }
        case WriteResult.Gone<Volume> _, WriteResult.Unreachable<Volume> _ -> wait = slept(wait);
      }
    }
  }

  /** Waits that long; how long the next time. */
  private Duration slept(Duration wait) throws InterruptedException {
    ports.time().sleep(wait);
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(LAST_SAVE) > 0 ? LAST_SAVE : twice;
  }

  private boolean isUnsaved(Order order) throws InterruptedException {
    return mayBeTakenBack(order) instanceof TakeBackVerdict.Unsaved;
  }

  private TakeBackVerdict mayBeTakenBack(Order order) throws InterruptedException {
    return LiveDecisions.decide(
        ports.reader(),
        LiveFacts.NONE,
        live -> VolumeRules.mayBeTakenBack(order.volumeName(), live));
  }

  /**
   * An earlier attempt whose answer was lost may have saved it: what is saved is not destroyed, and
   * what may be saved is asked for again.
   */
  private End rejected(Order order, Making.Made made, String why) throws InterruptedException {
    return switch (mayBeTakenBack(order)) {
      case TakeBackVerdict.Saved() -> {
        listeners.reporter().succeeded(order.claim(), order.volumeName());
        yield new Saved();
      }
      case TakeBackVerdict.CannotTell(String message) ->
          new Unknown("whether volume " + order.volumeName() + " is saved is unknown: " + message);
      case TakeBackVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
      case TakeBackVerdict.Unsaved() -> {
        listeners.reporter().notSaved(order.claim(), why);
        takeBack(order.claim(), made);
        yield new Refused("saving volume " + order.volumeName() + ": " + why);
      }
    };
  }

  private void takeBack(Claim claim, Making.Made made) throws InterruptedException {
    VolumeService.Destroying end = made.takeBack().run();
    for (int more = 1; more < TAKE_BACKS; more++) {
      if (end instanceof VolumeService.Destroying.Destroyed) {
        return;
      }
      ports.time().sleep(BETWEEN_TAKE_BACKS);
      end = made.takeBack().run();
    }
    if (!(end instanceof VolumeService.Destroying.Destroyed)) {
      listeners.reporter().notCleaned(claim, end.toString());
    }
  }
}
