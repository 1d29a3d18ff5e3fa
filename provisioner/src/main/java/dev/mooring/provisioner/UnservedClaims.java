package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.execute.ProvisionReporter;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Emits an event on each deleted claim that waits for a provisioner which this process does not
 * serve. No provisioning controller handles such a claim, so it would stay without a reason.
 */
final class UnservedClaims {
  // Drivers and plugins join after the start, and another process may be processing the claim.
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String NAME = "provisioner-unserved";

  private final Informer<Claim> claims;
  private final ProvisionControllers controllers;
  private final ProvisionReporter reporter;
  private final Time time;
  private final WorkQueue<ObjectKey> queue;
  private final Map<Uid, Long> firstSeenNanos = new ConcurrentHashMap<>();

  @Inject
  UnservedClaims(SharedInformers informers, ClusterPorts ports, ProvisionControllers controllers) {
    this.claims = informers.of(Kind.CLAIM);
    this.controllers = controllers;
    this.reporter = new ProvisionReporter(ports.events(), PluginProvisioners.NAME);
    this.time = ports.time();
    this.queue =
        WorkQueue.fair(
            NAME, time, new Backoff<>(Duration.ofSeconds(1), PATIENCE), ObjectKey::namespace);
  }

  ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims)
        .addHandler(claims, this::claimChanged)
        .loop(queue, this::syncClaim, 1)
        .build();
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim current) -> requeueIfHeld(current);
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (old.isReplacedBy(current)) {
          firstSeenNanos.remove(old.meta().uid());
        }
        requeueIfHeld(current);
      }
      case Change.Deleted<Claim>(Claim last, _) -> firstSeenNanos.remove(last.meta().uid());
    }
  }

  private void requeueIfHeld(Claim claim) {
    if (isHeld(claim)) {
      queue.add(claim.key());
    }
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().isBeingDeleted() && ClaimRules.isBeingMade(claim);
  }

  private Outcome syncClaim(ObjectKey key) {
    Optional<Claim> heldClaim = claims.get(key).filter(UnservedClaims::isHeld);
    return heldClaim.isEmpty() ? Outcome.SETTLED : reportIfOverdue(heldClaim.get());
  }

  private Outcome reportIfOverdue(Claim claim) {
    List<String> unserved =
        ClaimRules.noteOwners(claim).stream()
            .filter(provisioner -> !controllers.isServed(provisioner))
            .toList();
    if (unserved.isEmpty()) {
      firstSeenNanos.remove(claim.meta().uid());
      return new Outcome.CheckAgain(PATIENCE); // a plugin may be unloaded
    }
    long firstNanos = firstSeenNanos.computeIfAbsent(claim.meta().uid(), uid -> time.nanos());
    Duration remaining = PATIENCE.minusNanos(time.nanos() - firstNanos);
    if (remaining.isPositive()) {
      return new Outcome.CheckAgain(remaining);
    }
    reporter.reportUnserved(claim, unserved);
    return Outcome.SETTLED;
  }
}
