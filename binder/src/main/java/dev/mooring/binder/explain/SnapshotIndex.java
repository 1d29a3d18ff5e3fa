package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.VolumeCatalogue;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Change;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Index for matching against snapshots of the caches. Each call updates the index by the
 * differences from the previous snapshot, because these are few. Thread-safe: concurrent calls wait
 * for each other.
 */
public final class SnapshotIndex {
  private final VolumeReservations reservations;
  private final ReentrantLock lock = new ReentrantLock();
  private CacheSnapshot<Volume> volumes = CacheSnapshot.empty();
  private CacheSnapshot<Claim> claims = CacheSnapshot.empty();

  public SnapshotIndex(BinderPolicy policy) {
    this.reservations = new VolumeReservations(RequeueTarget.NONE, policy);
  }

  Step<ClaimDecision> previewDecision(
      CacheSnapshot<Volume> newVolumes,
      CacheSnapshot<Claim> newClaims,
      Claim claim,
      Function<VolumeCatalogue, Step<ClaimDecision>> decider) {
    lock.lock();
    try {
      update(newVolumes, newClaims);
      return reservations.previewDecision(claim, decider);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the decision for a claim with live reads, as the binder would take it now. */
  ClaimDecision decide(ClusterView clusterView, ClaimView view, BinderPolicy policy)
      throws InterruptedException {
    CacheSnapshot<Volume> volumesNow = clusterView.informer(Kind.VOLUME).snapshot();
    CacheSnapshot<Claim> claimsNow = clusterView.informer(Kind.CLAIM).snapshot();
    LiveFacts facts = LiveFacts.NONE;
    while (true) {
      ClaimView currentView = view.with(facts);
      switch (previewDecision(
          volumesNow,
          claimsNow,
          view.claim(),
          catalogue -> ClaimDecider.decide(currentView, catalogue, policy))) {
        case Step.Ask<ClaimDecision>(List<Question<?>> questions) ->
            facts = LiveDecisions.readFacts(clusterView.reader(), facts, questions);
        case Step.Decided<ClaimDecision>(ClaimDecision.ContinueSearch _) -> {}
        case Step.Decided<ClaimDecision>(ClaimDecision decision) -> {
          return decision;
        }
      }
    }
  }

  private void update(CacheSnapshot<Volume> newVolumes, CacheSnapshot<Claim> newClaims) {
    newVolumes.reportDifferences(volumes, reservations::volumeChanged);
    newClaims.reportDifferences(claims, this::claimChanged);
    volumes = newVolumes;
    claims = newClaims;
  }

  private void claimChanged(Change<Claim> change) {
    if (change instanceof Change.Deleted<Claim>(Claim last, _)) {
      reservations.removeClaim(last.key());
    } else {
      reservations.updateClaim(change.object());
    }
  }
}
