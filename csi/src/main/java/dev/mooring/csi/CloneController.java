package dev.mooring.csi;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.execute.DataSources;
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
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lets claims go that other volumes are filled from: as soon as none that waits for its volume is
 * copied from them any more.
 */
final class CloneController implements Controller {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final String name;
  private final Informer<Claim> claims;
  private final Finalizers finalizers;
  private final WorkQueue<ObjectKey> queue;
  private final Worker<ObjectKey> worker;
  private final DataSources sources;
  private final Copies copies = new Copies();

  CloneController(
      String driver,
      Informer<Claim> claims,
      DataSources sources,
      Finalizers finalizers,
      Time time) {
    this.sources = sources;
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
      case Change.Added<Claim>(Claim now) -> note(now);
      case Change.Updated<Claim>(Claim before, Claim now) -> {
        if (!before.meta().uid().equals(now.meta().uid())) {
          copies.ended(before.key()).forEach(queue::add);
        }
        note(now);
      }
      case Change.Deleted<Claim>(Claim last) -> copies.ended(last.key()).forEach(queue::add);
    }
  }

  private void note(Claim claim) {
    if (!isFilled(claim)) {
      copies.ended(claim.key()).forEach(queue::add);
    } else if (copies.begins(claim.key())) {
      queue.add(claim.key());
    }
    if (isHeld(claim)) {
      queue.add(claim.key());
    }
  }

  private static boolean isFilled(Claim claim) {
    return claim.hasDataSource()
        && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().isBeingDeleted()
        && claim.meta().finalizers().contains(ContentRules.CLAIM_IN_USE);
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    if (copies.isUnknown(key)) {
      switch (sources.read(key)) {
        case ReadResult.Found<DataSource>(DataSource source) ->
            learned(
                key,
                source.isClaim() ? Optional.of(source.key(key.namespace())) : Optional.empty());
        case ReadResult.Absent<DataSource> _ -> learned(key, Optional.empty());
        case ReadResult.Failed<DataSource>(String message) -> {
          return new Outcome.Retry(
              new Failure.Unreachable("what claim " + key + " is filled from: " + message));
        }
      }
    }
    Optional<Claim> claim = claims.snapshot().get(key).filter(CloneController::isHeld);
    return claim.isEmpty() || copies.holds(key)
        ? Outcome.SETTLED // the end of the last copy brings this one back
        : finalizers.letGo(Kind.CLAIM, claim.get(), ContentRules.CLAIM_IN_USE);
  }

  private void learned(ObjectKey copy, Optional<ObjectKey> source) {
    copies.learned(copy, source).forEach(queue::add);
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
