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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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
  // by namespace; written by the handler alone, which the informer calls once at a time
  private final Map<String, Set<ObjectKey>> held = new HashMap<>();
  private final Map<String, Set<ObjectKey>> filled = new ConcurrentHashMap<>();

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
      case Change.Added<Claim>(Claim now) -> note(now, isHeld(now), isFilled(now));
      case Change.Updated<Claim>(Claim _, Claim now) -> note(now, isHeld(now), isFilled(now));
      case Change.Deleted<Claim>(Claim last) -> note(last, false, false);
    }
  }

  private void note(Claim claim, boolean isHeld, boolean isFilled) {
    String namespace = claim.key().namespace();
    note(held, claim.key(), isHeld);
    if (isHeld) {
      queue.add(claim.key());
    }
    boolean wasFilled = note(filled, claim.key(), isFilled);
    if (wasFilled && !filled.containsKey(namespace)) {
      held.getOrDefault(namespace, Set.of()).forEach(queue::add);
    }
  }

  /** Whether it was one of them. */
  private static boolean note(
      Map<String, Set<ObjectKey>> byNamespace, ObjectKey claim, boolean isOne) {
    Set<ObjectKey> same = byNamespace.get(claim.namespace());
    boolean wasOne = same != null && same.contains(claim);
    if (isOne && !wasOne) {
      byNamespace.computeIfAbsent(claim.namespace(), n -> new HashSet<>()).add(claim);
    } else if (!isOne && wasOne) {
      byNamespace.computeIfPresent(
          claim.namespace(),
          (namespace, all) -> {
            all.remove(claim);
            return all.isEmpty() ? null : all;
          });
    }
    return wasOne;
  }

  private static boolean isFilled(Claim claim) {
    return claim.hasDataSource() && claim.phase() == ClaimPhase.PENDING;
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
    if (filled.containsKey(key.namespace())) {
      return Outcome.SETTLED; // the end of the last one brings this one back
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
