package dev.mooring.binder;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.binder.state.VolumeReservations.ReservationResult;
import dev.mooring.informer.Change;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

/**
 * Decides for claims and given volumes without a cluster, with the binder's own code. Not
 * thread-safe.
 */
public final class DryRun {
  private final VolumeReservations reservations;
  private final BinderPolicy policy;

  public DryRun(BinderPolicy policy) {
    this.reservations = new VolumeReservations(RequeueTarget.NONE, policy);
    this.policy = policy;
  }

  public void add(Volume volume) {
    reservations.volumeChanged(new Change.Added<>(volume));
  }

  /** Adds a pending claim, to which other claims leave a volume. */
  public void addPendingClaim(Claim claim) {
    reservations.updateClaim(claim);
  }

  public void remove(Volume volume) {
    reservations.volumeChanged(new Change.Deleted<>(volume, false));
  }

  /**
   * Returns the volume that the claim would be bound to, without reserving it; empty if the claim
   * would stay pending. A claim that gets a volume is no longer pending.
   */
  public Optional<Volume> volumeFor(Claim claim) {
    ClaimView view =
        new ClaimView(
                claim,
                Optional.empty(),
                "",
                List.of(),
                new ClaimView.Provisioning.Unserved("not asked"),
                false)
            .with(
                LiveFacts.NONE.with(
                    new Question.ObjectRead<>(
                        Kind.STORAGE_CLASS, ObjectKey.cluster(claim.className())),
                    new Fact.Absent<>()));
    while (true) {
      switch (reservations.decide(claim, volumes -> ClaimDecider.decide(view, volumes, policy))) {
        case Step.Decided<ReservationResult>(
                ReservationResult.Decided(ClaimDecision.ContinueSearch _)) -> {}
        case Step.Decided<ReservationResult>(
                ReservationResult.Decided(ClaimDecision.Bind(Volume volume))) -> {
          reservations.releaseVolume(volume.meta().name());
          return Optional.of(volume);
        }
        default -> {
          return Optional.empty();
        }
      }
    }
  }
}
