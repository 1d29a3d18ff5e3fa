package dev.mooring.binder;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.MigrationUpdate;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.VolumeExecutor;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.binder.state.ConfirmedAbsences;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Syncs one claim or volume: observe, decide, execute. Thread-safe. */
final class BinderReconcilers {
  private static final Duration SCRUB_RECHECK = Duration.ofSeconds(1);

  private final LiveReader reader;
  private final BinderViews views;
  private final BinderState state;
  private final VolumeReservations reservations;
  private final ClaimExecutor claimExecutor;
  private final VolumeExecutor volumeExecutor;
  private final ConfirmedAbsences absences;

  BinderReconcilers(
      ClusterPorts ports,
      BinderViews views,
      BinderState state,
      ClaimExecutor claimExecutor,
      VolumeExecutor volumeExecutor) {
    this.reader = ports.reader();
    this.views = views;
    this.state = state;
    this.reservations = state.reservations();
    this.claimExecutor = claimExecutor;
    this.volumeExecutor = volumeExecutor;
    this.absences = new ConfirmedAbsences(views.claims()::watchedVersion, ports.time());
  }

  Outcome syncClaim(ObjectKey key) throws InterruptedException {
    Outcome outcome = decideClaim(key);
    Optional<Claim> claim = views.claims().get(key);
    if (claim.isEmpty() || outcome instanceof Outcome.Conflicted) {
      return outcome;
    }
    // safe under the claim's key: this controller writes nothing else to the claim meanwhile
    Outcome conditionOutcome = claimExecutor.writeCondition(claim.get());
    boolean needsNoRetry =
        outcome instanceof Outcome.Settled || outcome instanceof Outcome.Deferred;
    return needsNoRetry && !(conditionOutcome instanceof Outcome.Settled)
        ? conditionOutcome
        : outcome;
  }

  private Outcome decideClaim(ObjectKey key) throws InterruptedException {
    Optional<Claim> cachedClaim = views.claims().get(key);
    if (cachedClaim.isEmpty()) {
      absences.forget(key);
      state.forgetAbsentClaim(key);
      claimExecutor.finishDeletedClaim(key);
      return Outcome.SETTLED;
    }
    WriteResult<Claim> updated = claimExecutor.updateMigration(cachedClaim.get());
    if (!(updated instanceof WriteResult.Written<Claim>)) {
      return claimExecutor.migrationOutcome(cachedClaim.get(), updated);
    }
    Optional<ClaimView> cachedView = views.claimView(key);
    if (cachedView.isEmpty()) {
      return Outcome.SETTLED;
    }
    ClaimView view = cachedView.get();
    return switch (decide(view)) {
      case VolumeReservations.ReservationResult.Busy() -> Outcome.DEFERRED;
      case VolumeReservations.ReservationResult.Decided(ClaimDecision.Bind bind) -> {
        try {
          yield volumeExecutor.isScrubbed(bind.volume())
              ? new Outcome.CheckAgain(SCRUB_RECHECK) // the sync of the volume stops the pod
              : claimExecutor.execute(view.claim(), DecisionLog.recordDecision(bind));
        } finally {
          reservations.releaseVolume(bind.volume().meta().name());
        }
      }
      case VolumeReservations.ReservationResult.Decided(ClaimDecision decision) ->
          claimExecutor.execute(view.claim(), DecisionLog.recordDecision(decision));
    };
  }

  private VolumeReservations.ReservationResult decide(ClaimView view) throws InterruptedException {
    Claim claim = view.claim();
    LiveFacts facts = LiveFacts.NONE;
    while (true) {
      ClaimView currentView = view.with(facts);
      switch (reservations.decide(
          claim, free -> ClaimDecider.decide(currentView, free, views.policy()))) {
        case Step.Ask<VolumeReservations.ReservationResult>(List<Question<?>> questions) ->
            facts = answerQuestions(claim, questions, facts);
        case Step.Decided<VolumeReservations.ReservationResult>(
                VolumeReservations.ReservationResult result) -> {
          if (facts == LiveFacts.NONE) {
            absences.forget(claim.key()); // the claim misses nothing
          }
          return result;
        }
      }
    }
  }

  /**
   * Asks about a possible loss each time; asks once about a missing object that the claim waits
   * for.
   */
  private LiveFacts answerQuestions(Claim claim, List<Question<?>> questions, LiveFacts facts)
      throws InterruptedException {
    boolean isBound = claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED);
    Optional<LiveFacts> rememberedAnswers =
        isBound ? Optional.empty() : absences.answer(claim, questions, facts);
    if (rememberedAnswers.isPresent()) {
      return rememberedAnswers.get();
    }
    ConfirmedAbsences.QuestionTime askedAt = absences.currentTime();
    LiveFacts answers = LiveDecisions.readFacts(reader, facts, questions);
    if (!isBound) {
      absences.record(claim, questions, answers, askedAt);
    }
    return answers;
  }

  Outcome syncVolume(ObjectKey key) throws InterruptedException {
    if (!reservations.reserveForWrite(key.name())) {
      return Outcome.DEFERRED; // a claim is being bound to it
    }
    try {
      Optional<Volume> cachedVolume = views.volumes().get(key);
      if (cachedVolume.isEmpty()) {
        state.forgetAbsentVolume(key);
        return volumeExecutor.finishDeletedVolume(key);
      }
      Optional<MigrationUpdate> requiredUpdate = views.migrationUpdate(cachedVolume.get());
      if (requiredUpdate.isPresent()) {
        WriteResult<Volume> updated =
            volumeExecutor.updateMigration(cachedVolume.get(), requiredUpdate.get());
        if (!(updated instanceof WriteResult.Written<Volume>)) {
          return volumeExecutor.writeOutcome(cachedVolume.get(), updated);
        }
      }
      Optional<VolumeView> view = views.volumeView(key);
      return view.isEmpty() ? Outcome.SETTLED : decide(view.get());
    } finally {
      reservations.endWrite(key.name());
      reservations.continueOffer(key.name());
    }
  }

  private Outcome decide(VolumeView view) throws InterruptedException {
    VolumeView viewWithHistory = view.withHistory(state.volumeMemory().historyOf(view.volume()));
    VolumeDecision decision =
        LiveDecisions.decide(
            reader,
            LiveFacts.NONE,
            facts -> VolumeDecider.decide(viewWithHistory.with(facts), views.policy()));
    if (decision instanceof VolumeDecision.Keep) {
      state.volumeMemory().recordKept(view.volume());
    }
    return volumeExecutor.execute(view.volume(), decision);
  }
}
