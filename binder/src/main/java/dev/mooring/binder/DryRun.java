package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.observe.Reservations;
import dev.mooring.binder.observe.WaitingClaims;
import dev.mooring.informer.Change;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

/**
 * What the binder would decide for a claim among given volumes, without a cluster: the same code
 * that decides for real. Not thread-safe.
 */
public final class DryRun {
  private final Reservations reservations;
  private final Policy policy;

  /** With no volumes yet. */
  public DryRun(Policy policy) {
    this.reservations = new Reservations(claim -> {}, volume -> {}, policy);
    this.policy = policy;
  }

  /** Adds a volume. */
  public void add(Volume volume) {
    reservations.observed(new Change.Added<>(volume));
  }

  /** Adds a claim that waits its turn: others leave it a volume. */
  public void expect(Claim claim) {
    reservations.observedClaim(claim);
  }

  /** Takes a volume away. */
  public void remove(Volume volume) {
    reservations.observed(new Change.Deleted<>(volume));
  }

  /**
   * The volume that the claim would be bound to, which is then to be had again; empty if it would
   * wait. A claim that is given one is expected no longer.
   */
  public Optional<Volume> volumeFor(Claim claim) {
    ClaimView view =
        new ClaimView(
                claim,
                Optional.empty(),
                "",
                List.of(),
                new ClaimView.Provisioning.ByNobody("not asked"),
                false)
            .with(
                LiveFacts.NONE.with(
                    new Question.One<>(Kind.STORAGE_CLASS, ObjectKey.cluster(claim.className())),
                    new Fact.Absent<>()));
    WaitingClaims.Wish wish = new WaitingClaims.Wish(claim.key(), claim);
    while (true) {
      switch (reservations.decide(wish, volumes -> ClaimDecider.decide(view, volumes, policy))) {
        case Reservations.Handed.Decided(ClaimDecision.SearchOn _) -> {}
        case Reservations.Handed.Decided(ClaimDecision.Bind(Volume volume)) -> {
          reservations.release(volume.meta().name());
          return Optional.of(volume);
        }
        default -> {
          return Optional.empty();
        }
      }
    }
  }
}
