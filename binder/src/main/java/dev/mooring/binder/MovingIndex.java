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
 * Index for matching at any moment. The index moves to a moment by its differences from the moment
 * before, which are few between neighbours; rebuilding would take longer. Thread-safe: calls for
 * different moments wait for each other.
 */
public final class MovingIndex {
  private final Reservations reservations;
  private final ReentrantLock lock = new ReentrantLock();
  private Snapshot<Volume> volumes = Snapshot.empty();
  private Snapshot<Claim> claims = Snapshot.empty();

  public MovingIndex(Policy policy) {
    this.reservations = new Reservations(claim -> {}, volume -> {}, policy);
  }

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
