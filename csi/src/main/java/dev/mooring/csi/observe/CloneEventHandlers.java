package dev.mooring.csi.observe;

import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.CloneWork;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.state.PendingClones;
import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.workqueue.WorkQueue;
import java.util.Collection;

/** Tracks claims that wait for a copy, and requeues their sources when a copy ends. */
public record CloneEventHandlers(PendingClones clones, WorkQueue<CloneWork> queue) {
  // A copy in another namespace protects its source only while a grant allows it.
  public void grantChanged(Change<ReferenceGrant> change) {
    requeueSources(clones.findSources(change.key().namespace()));
  }

  public void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim current) -> track(current);
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (old.isReplacedBy(current)) {
          requeueSources(clones.removeCopy(old.key()));
        }
        track(current);
      }
      case Change.Deleted<Claim>(Claim last, _) -> requeueSources(clones.removeCopy(last.key()));
    }
  }

  private void requeueSources(Collection<CloneSource> sources) {
    sources.forEach(source -> queue.add(new CloneWork.Source(source)));
  }

  private void track(Claim claim) {
    if (!isWaitingForCopy(claim)) {
      requeueSources(clones.removeCopy(claim.key()));
    } else if (clones.addCopy(claim.key())) {
      queue.add(new CloneWork.Copy(claim.key()));
    }
    if (FillSourceRules.isReleasable(claim)) {
      queue.add(new CloneWork.Source(new CloneSource(CloneSource.Type.CLAIM, claim.key())));
    }
  }

  private static boolean isWaitingForCopy(Claim claim) {
    return claim.hasDataSource()
        && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
  }
}
