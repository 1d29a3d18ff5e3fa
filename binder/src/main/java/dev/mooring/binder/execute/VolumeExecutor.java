package dev.mooring.binder.execute;

import dev.mooring.binder.decide.MigrationUpdate;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import java.util.Optional;

public final class VolumeExecutor {
  private final ClusterWriter writer;
  private final BinderReporter reporter;
  private final BindingWriter binding;
  private final VolumeReclaimer reclaimer;
  private final RequeueTarget queues;

  public VolumeExecutor(
      ClusterWriter writer,
      BinderReporter reporter,
      VolumeReclaimer reclaimer,
      BinderState state,
      RequeueTarget queues) {
    this.writer = writer;
    this.reporter = reporter;
    this.binding = new BindingWriter(writer, reporter, state.savedVolumes());
    this.reclaimer = reclaimer;
    this.queues = queues;
  }

  public WriteResult<Volume> updateMigration(Volume volume, MigrationUpdate update)
      throws InterruptedException {
    Document patch = Document.patchOf(volume.meta());
    if (!update.finalizers().equals(volume.finalizers())) {
      patch.set(
          update.finalizers().isEmpty() ? null : update.finalizers(), "metadata", "finalizers");
    }
    if (!update.migratedTo().equals(volume.meta().annotation(CsiMigration.MIGRATED_TO))) {
      patch.set(
          update.migratedTo().isEmpty() ? null : update.migratedTo(),
          "metadata",
          "annotations",
          CsiMigration.MIGRATED_TO);
    }
    return writer.patch(Kind.VOLUME, volume.key(), patch);
  }

  public Outcome writeOutcome(Volume volume, WriteResult<Volume> result) {
    return WriteOutcomes.outcome("writing volume " + volume.meta().name(), result);
  }

  public Outcome finishDeletedVolume(ObjectKey volume) throws InterruptedException {
    return reclaimer.stopScrubbing(volume).orElse(Outcome.SETTLED);
  }

  public boolean isScrubbed(Volume volume) {
    return reclaimer.isScrubbed(volume);
  }

  public Outcome execute(Volume volume, VolumeDecision decision) throws InterruptedException {
    if (!(decision instanceof VolumeDecision.Reclaim)) {
      Optional<Outcome> stopOutcome =
          decision instanceof VolumeDecision.Keep
              ? reclaimer.stopScrubbing(
                  volume.key()) // no claim gets it: a live read is not necessary
              : reclaimer.stopScrubbing(volume);
      if (stopOutcome.isPresent()) {
        return stopOutcome.get(); // the end of the recycler pod requeues the volume
      }
    }
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          WriteOutcomes.outcome(
              "setting volume " + volume.meta().name() + " " + phase,
              binding.writePhase(volume, phase, ""));
      case VolumeDecision.Reclaim reclaim -> reclaim(volume, reclaim);
      case VolumeDecision.Unbind() -> binding.unbind(volume);
      case VolumeDecision.WakeClaim(ObjectKey claim) -> {
        queues.requeueClaimIfNotBackingOff(claim);
        yield Outcome.SETTLED;
      }
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) -> {
        reporter.reportModeMismatch(volume, claim);
        yield unbind ? binding.unbind(volume) : Outcome.SETTLED;
      }
      case VolumeDecision.Keep(Reason reason, String message) -> {
        reporter.reportKept(volume, reason, message);
        yield Outcome.SETTLED;
      }
      case VolumeDecision.Unknown(String message) ->
          new Outcome.Unanswered(
              "the claim of volume " + volume.meta().name() + " could not be read: " + message);
    };
  }

  private Outcome reclaim(Volume volume, VolumeDecision.Reclaim decision)
      throws InterruptedException {
    Volume currentVolume = volume;
    if (decision.setReleased()) {
      WriteResult<Volume> result = binding.writePhase(volume, VolumePhase.RELEASED, "");
      if (!(result instanceof WriteResult.Written<Volume>(Volume released))) {
        return WriteOutcomes.outcome("releasing volume " + volume.meta().name(), result);
      }
      reporter.reportReleased(released);
      currentVolume = released;
    }
    return reclaimer.reclaim(currentVolume, decision.isClaimGone());
  }
}
