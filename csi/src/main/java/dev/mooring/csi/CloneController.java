package dev.mooring.csi;

import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.execute.Finalizers;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Worker;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lets claims go that other volumes were filled from: as soon as no claim of their namespace waits
 * for a volume with content any more. That may be later than necessary, and is never too early.
 */
final class CloneController implements Controller {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final String name;
  private final Informer<Claim> claims;
  private final Finalizers finalizers;
  private final WorkQueue<ObjectKey> queue;
  private final Worker<ObjectKey> worker;

  CloneController(String driver, Informer<Claim> claims, Finalizers finalizers, Time time) {
    this.name = "csi-clones-" + driver;
    this.claims = claims;
    this.finalizers = finalizers;
    this.queue = new WorkQueue<>(name, time);
    this.worker = new Worker<>(name, queue, this::sync, 1);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() throws InterruptedException {
    claims.awaitSynced();
    claims.addHandler(this::watch);
    worker.start();
  }

  private void watch(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim now) -> look(now);
      case Change.Updated<Claim>(Claim _, Claim now) -> look(now);
      case Change.Deleted<Claim>(Claim last) -> look(last);
    }
  }

  private void look(Claim claim) {
    if (isHeld(claim)) {
      queue.add(claim.key());
    }
    if (claim.hasDataSource()) {
      for (Claim other : claims.snapshot().all()) {
        if (isHeld(other) && other.key().namespace().equals(claim.key().namespace())) {
          queue.add(other.key());
        }
      }
    }
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().isBeingDeleted()
        && claim.meta().finalizers().contains(ContentRules.CLAIM_IN_USE);
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> claim = claims.snapshot().get(key).filter(CloneController::isHeld);
    if (claim.isEmpty()) {
      return Outcome.SETTLED;
    }
    for (Claim other : claims.snapshot().all()) {
      if (other.hasDataSource()
          && other.phase() == ClaimPhase.PENDING
          && other.key().namespace().equals(key.namespace())) {
        return Outcome.SETTLED; // its next change brings this one back
      }
    }
    return finalizers.letGo(Kind.CLAIM, claim.get(), ContentRules.CLAIM_IN_USE);
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    return worker.stop(grace);
  }

  @Override
  public boolean isIdle() {
    return queue.isIdle(SOON);
  }

  @Override
  public List<QueueStats> queueStats() {
    return List.of(queue.stats());
  }
}
