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
  private final VolumeProvisioner volumeProvisioner;
  private final BinderStats stats;
  private final ProvisionerMark mark;

  public ClaimExecutor(
      ClusterPorts ports,
      BinderReporter reporter,
      VolumeProvisioner volumeProvisioner,
      BinderState state,
      ProvisionerMark mark) {
    this.writer = ports.writer();
    this.reporter = reporter;
    this.reservations = state.reservations();
    this.binding = new BindingWriter(writer, reporter, state.savedVolumes());
    this.conditions = new WaitingConditions(writer, state.eventMemory(), ports.time());
    this.volumeProvisioner = volumeProvisioner;
    this.stats = state.stats();
    this.mark = mark;
  }

  public Outcome execute(Claim claim, ClaimDecision decision) throws InterruptedException {
    if (!(decision instanceof ClaimDecision.Provision
        || decision instanceof ClaimDecision.ContinueSearch)) {
      volumeProvisioner.finish(
          claim.key()); // the claim has or waits for another volume than the one being provisioned
    }
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> reportRejection(claim, bind(claim, volume));
      case ClaimDecision.ContinueSearch() -> new Outcome.CheckAgain(Duration.ZERO);
      case ClaimDecision.TakeDefaultClass(String name) ->
          reportRejection(claim, setDefaultClass(claim, name));
      case ClaimDecision.Provision(StorageClass storageClass, String plugin) ->
          provision(claim, storageClass, plugin);
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          handOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) -> volumeProvisioner.reselect(claim, node);
      case ClaimDecision.Wait(Reason reason, String message, boolean setPending) -> {
        reportWaiting(claim, reason, message);
        Outcome outcome = setPending ? writeUnbound(claim, ClaimPhase.PENDING) : Outcome.SETTLED;
        yield outcome instanceof Outcome.Settled ? Outcome.DEFERRED : outcome;
      }
      case ClaimDecision.Leave(_) -> Outcome.SETTLED;
      case ClaimDecision.RefuseDataSource(String plugin, String message) -> {
        stats.countFailure(plugin, TimedOperation.PROVISION);
        reportWaiting(claim, Reason.DATA_SOURCE_UNSUPPORTED, message);
        yield Outcome.SETTLED;
      }
      case ClaimDecision.MarkLost(Reason reason, String message) ->
          markLost(claim, reason, message);
      case ClaimDecision.Contradiction(Reason reason, String message) -> {
        reportWaiting(claim, reason, message);
        yield new Outcome.Retry(new Failure.Rejected(message));
      }
      case ClaimDecision.AwaitCache(String missingObject) ->
          new Outcome.Conflicted(
              "the API server has " + missingObject + ", but the cache does not show it yet");
      case ClaimDecision.Unknown(String message) -> new Outcome.Unanswered(message);
    };
  }

  private Outcome markLost(Claim claim, Reason reason, String message) throws InterruptedException {
    if (claim.phase() == ClaimPhase.LOST) {
      return Outcome.SETTLED;
    }
    Outcome outcome = writeUnbound(claim, ClaimPhase.LOST);
    if (outcome instanceof Outcome.Settled) {
      reportWaiting(claim, reason, message);
    }
    return outcome;
  }

  private void reportWaiting(Claim claim, Reason reason, String message) {
    reporter.reportWaiting(
        claim, reason, message, () -> NearMisses.of(claim, reservations.sampleVolumes()));
  }

  /** Repeats the claim's last event in its condition, if configured. */
  public Outcome writeCondition(Claim claim) throws InterruptedException {
    return reporter.keepsTexts() ? conditions.write(claim) : Outcome.SETTLED;
  }

  private Outcome reportRejection(Claim claim, Outcome outcome) {
    if (outcome instanceof Outcome.Retry(Failure.Rejected(String message))) {
      reporter.reportRejection(claim, message);
    }
    return outcome;
  }

  private Outcome bind(Claim claim, Volume volume) throws InterruptedException {
    Outcome outcome = binding.write(claim, volume);
    switch (outcome) {
      case Outcome.Settled _ -> stats.recordEnd(TimedOperation.PROVISION, claim.key());
      case Outcome.Retry _, Outcome.Unanswered _, Outcome.GiveUp _ ->
          stats.countFailure(TimedOperation.PROVISION, claim.key());
      case Outcome.Conflicted _,
          Outcome.CheckAgain _,
          Outcome.Deferred _ -> {} // the provisioning continues
    }
    return outcome;
  }

  private Outcome setDefaultClass(Claim claim, String name) throws InterruptedException {
    WriteResult<Claim> result =
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta()).set(name, "spec", "storageClassName"));
    stats.countDefaultedClaim(result instanceof WriteResult.Written<Claim>);
    return WriteOutcomes.outcome("giving claim " + claim.key() + " the class " + name, result);
  }

  public void finishDeletedClaim(ObjectKey claim) {
    volumeProvisioner.finish(claim);
  }

  private Outcome writeUnbound(Claim claim, ClaimPhase phase) throws InterruptedException {
    Claim.Status status = claim.status();
    boolean isUnchanged =
        status.phase() == phase
            && status.accessModes().isEmpty()
            && status.capacity().isEmpty()
            && status.attributesClass().isEmpty();
    if (isUnchanged) {
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

  private WrittenObject<Claim> annotateProvisioner(Claim claim, String plugin)
      throws InterruptedException {
    if (claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(plugin)) {
      return new WrittenObject<>(new WriteResult.Written<>(claim), Optional.empty());
    }
    Document patch = ProvisionerMark.set(plugin, Document.patchOf(claim.meta()));
    if (claim.meta().hasAnnotation(CsiMigration.MIGRATED_TO)) {
      patch.set(null, "metadata", "annotations", CsiMigration.MIGRATED_TO);
    }
    return writer.patchAndRead(Kind.CLAIM, claim.key(), patch);
  }

  private Outcome handOver(Claim claim, String provisioner) throws InterruptedException {
    stats.recordStart(TimedOperation.PROVISION, claim.key(), provisioner);
    WriteResult<Claim> annotated = annotateProvisioner(claim, provisioner).result();
    if (!(annotated instanceof WriteResult.Written<Claim>)) {
      stats.countFailure(provisioner, TimedOperation.PROVISION);
      if (annotated instanceof WriteResult.Rejected<Claim>(int _, String message)) {
        reporter.reportProvisioningFailure(
            claim, Reason.PLUGIN_FAILED, "Error saving claim: " + message);
      }
      return WriteOutcomes.outcome(
          "marking claim " + claim.key() + " for " + provisioner, annotated);
    }
    reporter.reportHandOver(claim, provisioner);
    return Outcome.SETTLED;
  }

  private Outcome provision(Claim claim, StorageClass storageClass, String plugin)
      throws InterruptedException {
    if (mark.mayFollowCall(claim)) {
      volumeProvisioner.start(new ProvisionJob(claim, storageClass, plugin), Optional.empty());
      return Outcome.SETTLED;
    }
    WrittenObject<Claim> annotated = annotateProvisioner(claim, plugin);
    if (!(annotated.result() instanceof WriteResult.Written<Claim>(Claim annotatedClaim))) {
      return WriteOutcomes.outcome(
          "marking claim " + claim.key() + " for " + plugin, annotated.result());
    }
    volumeProvisioner.start(
        new ProvisionJob(annotatedClaim, storageClass, plugin), annotated.read());
    return Outcome.SETTLED;
  }

  public WriteResult<Claim> updateMigration(Claim claim) throws InterruptedException {
    Optional<String> driver = MigrationUpdate.migrationOf(claim.meta().annotations());
    if (driver.isEmpty()) {
      return new WriteResult.Written<>(claim);
    }
    Document patch =
        Document.patchOf(claim.meta())
            .set(
                driver.get().isEmpty() ? null : driver.get(),
                "metadata",
                "annotations",
                CsiMigration.MIGRATED_TO);
    return writer.patch(Kind.CLAIM, claim.key(), patch);
  }

  public Outcome migrationOutcome(Claim claim, WriteResult<Claim> result) {
    return WriteOutcomes.outcome(
        "correcting the migration annotation of claim " + claim.key(), result);
  }
}
