package dev.mooring.binder;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.MigrationUpdate;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.VolumeExecutor;
import dev.mooring.binder.execute.WaitingConditions;
import dev.mooring.binder.observe.BinderViews;
import dev.mooring.binder.observe.ConfirmedAbsences;
import dev.mooring.binder.observe.VolumeMemory;
import dev.mooring.binder.observe.VolumeReservations;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Optional;

/** Syncs one claim or volume: observe, decide, execute. Thread-safe. */
final class BinderReconcilers {
  record ReconcilerParts(
      BinderViews views,
      VolumeReservations reservations,
      ClaimExecutor claimExecutor,
      VolumeExecutor volumeExecutor,
      ConfirmedAbsences absences,
      VolumeMemory memory,
      Optional<WaitingConditions> conditions) {}

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final LiveReader reader;
  private final LoadedPlugins plugins;
  private final BinderPolicy policy;
  private final ReconcilerParts parts;

  BinderReconcilers(
      SharedInformers informers,
      LiveReader reader,
      LoadedPlugins plugins,
      BinderPolicy policy,
      ReconcilerParts parts) {
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.reader = reader;
    this.plugins = plugins;
    this.policy = policy;
    this.parts = parts;
  }

  Outcome syncClaim(ObjectKey key) throws InterruptedException {
    Outcome outcome = judged(key);
    Optional<Claim> now = claims.get(key);
    if (parts.conditions().isEmpty() || now.isEmpty() || outcome instanceof Outcome.Conflicted) {
      return outcome;
    }
    // safe under the claim's key: this controller writes nothing else to the claim meanwhile
    Outcome written = parts.conditions().get().write(now.get());
    boolean nothingElse = outcome instanceof Outcome.Settled || outcome instanceof Outcome.Deferred;
    return nothingElse && !(written instanceof Outcome.Settled) ? written : outcome;
  }

  private Outcome judged(ObjectKey key) throws InterruptedException {
    Optional<Claim> known = claims.get(key);
    if (known.isEmpty()) {
      parts.absences().forget(key);
      return parts.claimExecutor().absent(key);
    }
    WriteResult<Claim> updated = parts.claimExecutor().updateMigration(known.get());
    if (!(updated instanceof WriteResult.Written<Claim>)) {
      return parts.claimExecutor().migrationNotUpdated(known.get(), updated);
    }
    Optional<ClaimView> found = parts.views().claim(key);
    if (found.isEmpty()) {
      return Outcome.SETTLED;
    }
    ClaimView view = found.get();
    return switch (decide(view)) {
      case VolumeReservations.Handed.Busy() -> Outcome.DEFERRED;
      case VolumeReservations.Handed.Decided(ClaimDecision.Bind bind) -> {
        try {
          yield parts.claimExecutor().execute(view.claim(), DecisionLog.by(bind));
        } finally {
          parts.reservations().release(bind.volume().meta().name());
        }
      }
      case VolumeReservations.Handed.Decided(ClaimDecision decision) ->
          parts.claimExecutor().execute(view.claim(), DecisionLog.by(decision));
    };
  }

  private VolumeReservations.Handed decide(ClaimView view) throws InterruptedException {
    Claim claim = view.claim();
    LiveFacts facts = LiveFacts.NONE;
    while (true) {
      ClaimView seen = view.with(facts);
      switch (parts.reservations().decide(claim, free -> ClaimDecider.decide(seen, free, policy))) {
        case Step.Ask<VolumeReservations.Handed>(List<Question<?>> questions) ->
            facts = answerQuestions(claim, questions, facts);
        case Step.Decided<VolumeReservations.Handed>(VolumeReservations.Handed handed) -> {
          if (facts == LiveFacts.NONE) {
            parts.absences().forget(claim.key()); // the claim misses nothing
          }
          return handed;
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
    boolean hurts = claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED);
    Optional<LiveFacts> remembered =
        hurts ? Optional.empty() : parts.absences().answer(claim, questions, facts);
    if (remembered.isPresent()) {
      return remembered.get();
    }
    ConfirmedAbsences.QuestionTime began = parts.absences().now();
    LiveFacts answers = LiveDecisions.ask(reader, facts, questions);
    if (!hurts) {
      parts.absences().note(claim, questions, answers, began);
    }
    return answers;
  }

  Outcome syncVolume(ObjectKey key) throws InterruptedException {
    if (!parts.reservations().reserveForWrite(key.name())) {
      return Outcome.DEFERRED; // a claim is being bound to it
    }
    try {
      Optional<Volume> known = volumes.get(key);
      if (known.isEmpty()) {
        parts.memory().forget(key);
        return parts.volumeExecutor().absent(key);
      }
      Optional<MigrationUpdate> due =
          MigrationUpdate.of(known.get(), policy, name -> plugins.named(name).isPresent());
      if (due.isPresent()) {
        WriteResult<Volume> updated =
            parts.volumeExecutor().updateMigration(known.get(), due.get());
        if (!(updated instanceof WriteResult.Written<Volume>)) {
          return parts.volumeExecutor().notWritten(known.get(), updated);
        }
      }
      Optional<VolumeView> view = parts.views().volume(key);
      return view.isEmpty() ? Outcome.SETTLED : decide(view.get());
    } finally {
      parts.reservations().endWrite(key.name());
      parts.reservations().offerOn(key.name());
    }
  }

  private Outcome decide(VolumeView view) throws InterruptedException {
    VolumeView remembered = view.remembering(parts.memory().of(view.volume()));
    VolumeDecision decision =
        LiveDecisions.decide(
            reader, LiveFacts.NONE, facts -> VolumeDecider.decide(remembered.with(facts), policy));
    if (decision instanceof VolumeDecision.Keep) {
      parts.memory().kept(view.volume());
    }
    return parts.volumeExecutor().execute(view.volume(), decision);
  }
}
