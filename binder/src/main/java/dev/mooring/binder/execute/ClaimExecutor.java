package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.MigrationUpdate;
import dev.mooring.binder.decide.NearMisses;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.BinderStats;
import dev.mooring.binder.state.BinderStats.TimedOperation;
import dev.mooring.binder.state.ProvisionJob;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import java.time.Duration;
import java.util.Optional;

public final class ClaimExecutor {
  private final ClusterWriter writer;
  private final BinderReporter reporter;
  private final VolumeReservations reservations;
  private final BindingWriter binding;
  private final WaitingConditions conditions;
  private final VolumeProvisioner provisioning;
  private final BinderStats stats;

  public ClaimExecutor(
      ClusterPorts ports,
      BinderReporter reporter,
      VolumeProvisioner provisioning,
      BinderState state) {
    this.writer = ports.writer();
    this.reporter = reporter;
    this.reservations = state.reservations();
    this.binding = new BindingWriter(writer, reporter, state.saved());
    this.conditions = new WaitingConditions(writer, state.events(), ports.time());
    this.provisioning = provisioning;
    this.stats = state.stats();
  }

  public Outcome execute(Claim claim, ClaimDecision decision) throws InterruptedException {
    if (!(decision instanceof ClaimDecision.Provision
        || decision instanceof ClaimDecision.ContinueSearch)) {
      provisioning.finish(
          claim.key()); // the claim has or waits for another volume than the one being provisioned
    }
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> reported(claim, bind(claim, volume));
      case ClaimDecision.ContinueSearch() -> new Outcome.CheckAgain(Duration.ZERO);
      case ClaimDecision.TakeDefaultClass(String name) -> reported(claim, takeDefault(claim, name));
      case ClaimDecision.Provision(StorageClass storageClass, String plugin) ->
          provision(claim, storageClass, plugin);
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          handOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) -> provisioning.reselect(claim, node);
      case ClaimDecision.Wait(Reason why, String note, boolean setPending) -> {
        reportWaiting(claim, why, note);
        Outcome written = setPending ? unbound(claim, ClaimPhase.PENDING) : Outcome.SETTLED;
        yield written instanceof Outcome.Settled ? Outcome.DEFERRED : written;
      }
      case ClaimDecision.Leave(_) -> Outcome.SETTLED;
      case ClaimDecision.RefuseCopy(String plugin, String note) -> {
        stats.failed(plugin, TimedOperation.PROVISION);
        reportWaiting(claim, Reason.DATA_SOURCE_UNSUPPORTED, note);
        yield Outcome.SETTLED;
      }
      case ClaimDecision.MarkLost(Reason why, String note) -> markLost(claim, why, note);
      case ClaimDecision.Contradiction(Reason why, String note) -> {
        reportWaiting(claim, why, note);
        yield new Outcome.Retry(new Failure.Rejected(note));
      }
      case ClaimDecision.AwaitCache(String what) ->
          new Outcome.Conflicted(
              "the API server has " + what + ", but the cache does not show it yet");
      case ClaimDecision.CannotTell(String why) -> new Outcome.Unanswered(why);
    };
  }

  private Outcome markLost(Claim claim, Reason why, String note) throws InterruptedException {
    if (claim.phase() == ClaimPhase.LOST) {
      return Outcome.SETTLED;
    }
    Outcome written = unbound(claim, ClaimPhase.LOST);
    if (written instanceof Outcome.Settled) {
      reportWaiting(claim, why, note);
    }
    return written;
  }

  private void reportWaiting(Claim claim, Reason why, String note) {
    reporter.waiting(claim, why, note, () -> NearMisses.of(claim, reservations.sample()));
  }

  /** Repeats the claim's last event in its condition, if configured. */
  public Outcome writeCondition(Claim claim) throws InterruptedException {
    return reporter.keepsTexts() ? conditions.write(claim) : Outcome.SETTLED;
  }

  private Outcome reported(Claim claim, Outcome outcome) {
    if (outcome instanceof Outcome.Retry(Failure.Rejected(String message))) {
      reporter.refused(claim, message);
    }
    return outcome;
  }

  private Outcome bind(Claim claim, Volume volume) throws InterruptedException {
    Outcome bound = binding.write(claim, volume);
    switch (bound) {
      case Outcome.Settled _ -> stats.ends(TimedOperation.PROVISION, claim.key());
      case Outcome.Retry _, Outcome.Unanswered _, Outcome.GiveUp _ ->
          stats.failed(TimedOperation.PROVISION, claim.key());
      case Outcome.Conflicted _,
          Outcome.CheckAgain _,
          Outcome.Deferred _ -> {} // the provisioning continues
    }
    return bound;
  }

  private Outcome takeDefault(Claim claim, String name) throws InterruptedException {
    WriteResult<Claim> result =
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta()).set(name, "spec", "storageClassName"));
    stats.defaulted(result instanceof WriteResult.Written<Claim>);
    return WriteOutcomes.outcome("giving claim " + claim.key() + " the class " + name, result);
  }

  public void finishDeleted(ObjectKey claim) {
    provisioning.finish(claim);
  }

  private Outcome unbound(Claim claim, ClaimPhase phase) throws InterruptedException {
    Claim.Status status = claim.status();
    boolean same =
        status.phase() == phase
            && status.accessModes().isEmpty()
            && status.capacity().isEmpty()
            && status.attributesClass().isEmpty();
    if (same) {
      return Outcome.SETTLED;
    }
    Document patch = Document.patchOf(claim.meta()).set(phase.toString(), "status", "phase");
    if (!status.accessModes().isEmpty()) {
      patch.set(null, "status", "accessModes");
    }
    if (!status.capacity().isEmpty()) {
      patch.set(null, "status", "capacity");
    }
    if (!status.attributesClass().isEmpty()) {
      patch.set(null, "status", "currentVolumeAttributesClassName");
    }
    return WriteOutcomes.outcome(
        "setting claim " + claim.key() + " " + phase,
        writer.patchStatus(Kind.CLAIM, claim.key(), patch));
  }

  private WrittenObject<Claim> mark(Claim claim, String provisioner) throws InterruptedException {
    if (claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(provisioner)) {
      return new WrittenObject<>(new WriteResult.Written<>(claim), Optional.empty());
    }
    Document patch =
        Document.patchOf(claim.meta())
            .set(provisioner, "metadata", "annotations", BinderMarks.STORAGE_PROVISIONER)
            .set(provisioner, "metadata", "annotations", BinderMarks.BETA_STORAGE_PROVISIONER);
    if (claim.meta().hasAnnotation(CsiMigration.MIGRATED_TO)) {
      patch.set(null, "metadata", "annotations", CsiMigration.MIGRATED_TO);
    }
    return writer.patchAndRead(Kind.CLAIM, claim.key(), patch);
  }

  private Outcome handOver(Claim claim, String provisioner) throws InterruptedException {
    stats.begins(TimedOperation.PROVISION, claim.key(), provisioner);
    WriteResult<Claim> marked = mark(claim, provisioner).result();
    if (!(marked instanceof WriteResult.Written<Claim>)) {
      stats.failed(provisioner, TimedOperation.PROVISION);
      if (marked instanceof WriteResult.Rejected<Claim>(int _, String message)) {
        reporter.provisioningFailed(claim, Reason.PLUGIN_FAILED, "Error saving claim: " + message);
      }
      return WriteOutcomes.outcome("marking claim " + claim.key() + " for " + provisioner, marked);
    }
    reporter.handedOver(claim, provisioner);
    return Outcome.SETTLED;
  }

  private Outcome provision(Claim claim, StorageClass storageClass, String plugin)
      throws InterruptedException {
    WrittenObject<Claim> marked = mark(claim, plugin);
    if (!(marked.result() instanceof WriteResult.Written<Claim>(Claim now))) {
      return WriteOutcomes.outcome(
          "marking claim " + claim.key() + " for " + plugin, marked.result());
    }
    provisioning.start(new ProvisionJob(now, storageClass, plugin), marked.read());
    return Outcome.SETTLED;
  }

  public WriteResult<Claim> updateMigration(Claim claim) throws InterruptedException {
    Optional<String> mark = MigrationUpdate.migrationOf(claim.meta().annotations());
    if (mark.isEmpty()) {
      return new WriteResult.Written<>(claim);
    }
    Document patch =
        Document.patchOf(claim.meta())
            .set(
                mark.get().isEmpty() ? null : mark.get(),
                "metadata",
                "annotations",
                CsiMigration.MIGRATED_TO);
    return writer.patch(Kind.CLAIM, claim.key(), patch);
  }

  public Outcome migrationNotUpdated(Claim claim, WriteResult<Claim> result) {
    return WriteOutcomes.outcome(
        "correcting the migration annotation of claim " + claim.key() + " right", result);
  }
}
