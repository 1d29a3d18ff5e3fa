package dev.mooring.binder.explain;

import dev.mooring.binder.decide.Reason;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.decide.CondemnationDecider;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.storage.decide.CondemnationVerdict;
import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Explains volumes whose storage outlives their claim for a while. */
record CondemnationExplanation(ClusterView clusterView, Time time) {
  Optional<BinderFinding> of(Volume volume, String claimGone) {
    // observers cannot see flags
    Terms terms = DeletionDelay.terms(volume, findClass(volume), Duration.ZERO);
    return switch (CondemnationDecider.decide(volume, terms, time.now())) {
      case CondemnationVerdict.Due _, CondemnationVerdict.Condemn _ -> Optional.empty();
      case CondemnationVerdict.Wait(Instant until) ->
          Optional.of(
              BinderFinding.of(
                  Reason.CONDEMNED,
                  claimGone + "; its storage is destroyed after " + until,
                  new NextStep(
                      StepActor.CONTROLLER,
                      ExpectedAction.DELETE,
                      "",
                      "has its storage destroyed after "
                          + until
                          + ", unless 'mooring undo pv/"
                          + volume.meta().name()
                          + "' restores the claim",
                      StepTiming.LATER)));
      case CondemnationVerdict.Keep(String message) ->
          Optional.of(BinderFinding.forPerson(Reason.DELAY_UNREADABLE, message));
    };
  }

  private Optional<StorageClass> findClass(Volume volume) {
    return volume.storageClass().isEmpty()
        ? Optional.empty()
        : clusterView.informer(Kind.STORAGE_CLASS).get(ObjectKey.cluster(volume.storageClass()));
  }
}
