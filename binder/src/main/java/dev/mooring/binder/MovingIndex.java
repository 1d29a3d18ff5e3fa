package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.VolumeCatalogue;
import dev.mooring.binder.observe.Reservations;
import dev.mooring.informer.Change;
import dev.mooring.informer.Snapshot;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * What claims are matched with, at whatever moment is asked about. There is one index; it is moved
 * to the moment by what differs from the one that was asked about before, which is little between
 * neighbours, instead of being built for each. Thread-safe: two who ask about different moments
 * wait for each other.
 */
public final class MovingIndex {
  private final Reservations reservations;
  private final ReentrantLock lock = new ReentrantLock();
  private Snapshot<Volume> volumes = Snapshot.empty();
  private Snapshot<Claim> claims = Snapshot.empty();

  /**
   * At a moment without volumes and claims.
   *
   * @param policy as for {@link Reservations}
   */
  public MovingIndex(Policy policy) {
    this.reservations = new Reservations(claim -> {}, volume -> {}, policy);
  }

  /** What would be decided for a claim among these volumes, were it the next that is decided. */
  public ClaimDecision look(
      Snapshot<Volume> volumes,
      Snapshot<Claim> claims,
      Claim claim,
      Function<VolumeCatalogue, ClaimDecision> decider) {
    lock.lock();
    try {
      move(volumes, claims);
      return reservations.look(claim, decider);
    } finally {
      lock.unlock();
    }
  }

  private void move(Snapshot<Volume> volumesThen, Snapshot<Claim> claimsThen) {
    volumesThen.since(volumes, reservations::observed);
    claimsThen.since(claims, this::moved);
    volumes = volumesThen;
    claims = claimsThen;
  }

  private void moved(Change<Claim> change) {
    if (change instanceof Change.Deleted<Claim>(Claim last)) {
      reservations.claimGone(last.key());
    } else {
      reservations.observedClaim(change.object());
    }
  }
}
