package dev.mooring.binder;

import dev.mooring.binder.decide.Annealing;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.VolumeExecutor;
import dev.mooring.binder.observe.Views;
import dev.mooring.binder.observe.VolumeLedger;
import dev.mooring.binder.observe.WaitingClaims;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import java.util.Optional;

/** One look at a claim or a volume: observed, decided, executed. Thread-safe. */
final class Passes {
  /** What sees, what decides who gets which volume, and who does what was decided. */
  record Parts(Views views, VolumeLedger ledger, ClaimExecutor claims, VolumeExecutor volumes) {}

  private final BinderController.Informers informers;
  private final BinderController.Ports ports;
  private final Policy policy;
  private final VolumeLedger ledger;
  private final Views views;
  private final ClaimExecutor claimExecutor;
  private final VolumeExecutor volumeExecutor;

  Passes(
      BinderController.Informers informers,
      BinderController.Ports ports,
      Policy policy,
      Parts parts) {
    this.informers = informers;
    this.ports = ports;
    this.policy = policy;
    this.views = parts.views();
    this.ledger = parts.ledger();
    this.claimExecutor = parts.claims();
    this.volumeExecutor = parts.volumes();
  }

  Outcome claim(ObjectKey key) throws InterruptedException {
    Optional<Claim> known = informers.claims().snapshot().get(key);
    if (known.isEmpty()) {
      return claimExecutor.absent(key);
    }
    WriteResult<Claim> annealed = claimExecutor.anneal(known.get());
    if (!(annealed instanceof WriteResult.Written<Claim>)) {
      return claimExecutor.notAnnealed(known.get(), annealed);
    }
    Optional<ClaimView> found = views.claim(key);
    if (found.isEmpty()) {
      return Outcome.SETTLED;
    }
    ClaimView view = found.get();
    WaitingClaims.Wish wish = new WaitingClaims.Wish(key, view.claim());
    return switch (ledger.decide(wish, volumes -> ClaimDecider.decide(view, volumes, policy))) {
      case VolumeLedger.Handed.Busy() -> Outcome.SETTLED;
      case VolumeLedger.Handed.Decided(ClaimDecision.Bind bind) -> {
        try {
          yield claimExecutor.execute(view.claim(), bind);
        } finally {
          ledger.release(bind.volume().meta().name());
        }
      }
      case VolumeLedger.Handed.Decided(ClaimDecision decision) ->
          claimExecutor.execute(view.claim(), decision);
    };
  }

  Outcome volume(ObjectKey key) throws InterruptedException {
    if (!ledger.hold(key.name())) {
      return Outcome.SETTLED; // a claim is being bound to it; its end wakes this key
    }
    try {
      Optional<Volume> known = informers.volumes().snapshot().get(key);
      if (known.isEmpty()) {
        return volumeExecutor.absent(key);
      }
      Optional<Annealing> due =
          Annealing.of(known.get(), policy, name -> ports.plugins().named(name).isPresent());
      if (due.isPresent()) {
        WriteResult<Volume> annealed = volumeExecutor.anneal(known.get(), due.get());
        if (!(annealed instanceof WriteResult.Written<Volume>)) {
          return volumeExecutor.notWritten(known.get(), annealed);
        }
      }
      Optional<VolumeView> view = views.volume(key);
      return view.isEmpty() ? Outcome.SETTLED : decided(view.get());
    } finally {
      ledger.unhold(key.name());
      ledger.offerOn(key.name());
    }
  }

  private Outcome decided(VolumeView view) throws InterruptedException {
    VolumeDecision decision = VolumeDecider.decide(view, policy);
    if (!(decision instanceof VolumeDecision.LookLive(ObjectKey claim))) {
      return volumeExecutor.execute(view.volume(), decision);
    }
    return switch (ports.reader().read(Kind.CLAIM, claim)) {
      case ReadResult.Failed<Claim>(String message) ->
          new Outcome.Retry(
              new Failure.Unreachable("claim " + claim + " could not be looked up: " + message));
      case ReadResult.Absent<Claim> _ ->
          volumeExecutor.execute(
              view.volume(),
              VolumeDecider.decide(
                  new VolumeView(view.volume(), new VolumeView.Known.Gone()), policy));
      case ReadResult.Found<Claim>(Claim live) ->
          volumeExecutor.execute(
              view.volume(),
              VolumeDecider.decide(
                  new VolumeView(view.volume(), new VolumeView.Known.Live(live)), policy));
    };
  }
}
