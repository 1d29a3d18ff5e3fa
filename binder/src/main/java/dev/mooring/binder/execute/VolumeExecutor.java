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
  private final VolumeReclaimer reclaiming;
  private final RequeueTarget requeue;

  public VolumeExecutor(
      ClusterWriter writer,
      BinderReporter reporter,
      VolumeReclaimer reclaiming,
      BinderState state,
      RequeueTarget requeue) {
    this.writer = writer;
    this.reporter = reporter;
    this.binding = new BindingWriter(writer, reporter, state.saved());
    this.reclaiming = reclaiming;
    this.requeue = requeue;
  }

  public WriteResult<Volume> updateMigration(Volume volume, MigrationUpdate wanted)
      throws InterruptedException {
    Document patch = Document.patchOf(volume.meta());
    if (!wanted.finalizers().equals(volume.finalizers())) {
      patch.set(
          wanted.finalizers().isEmpty() ? null : wanted.finalizers(), "metadata", "finalizers");
    }
    if (!wanted.migratedTo().equals(volume.meta().annotation(CsiMigration.MIGRATED_TO))) {
      patch.set(
          wanted.migratedTo().isEmpty() ? null : wanted.migratedTo(),
          "metadata",
          "annotations",
          CsiMigration.MIGRATED_TO);
    }
    return writer.patch(Kind.VOLUME, volume.key(), patch);
  }

  public Outcome notWritten(Volume volume, WriteResult<Volume> result) {
    return WriteOutcomes.outcome("writing volume " + volume.meta().name(), result);
  }

  public Outcome finishDeleted(ObjectKey volume) throws InterruptedException {
    return reclaiming.stopScrubbing(volume).orElse(Outcome.SETTLED);
  }

  public Outcome execute(Volume volume, VolumeDecision decision) throws InterruptedException {
    if (!(decision instanceof VolumeDecision.Reclaim)) {
      Optional<Outcome> spared =
          decision instanceof VolumeDecision.Keep
              ? reclaiming.stopScrubbing(
                  volume.key()) // no claim gets it: a live read is not necessary
              : reclaiming.stopScrubbing(volume);
      if (spared.isPresent()) {
        return spared.get(); // the end of the recycler pod requeues the volume
      }
    }
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          WriteOutcomes.outcome(
              "setting volume " + volume.meta().name() + " " + phase,
              binding.phase(volume, phase, ""));
      case VolumeDecision.Reclaim(boolean setReleased) -> reclaim(volume, setReleased);
      case VolumeDecision.Unbind() -> binding.unbind(volume);
      case VolumeDecision.WakeClaim(ObjectKey claim) -> {
        requeue.claimIfNotBackingOff(claim);
        yield Outcome.SETTLED;
      }
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) -> {
        reporter.modeMismatch(volume, claim);
        yield unbind ? binding.unbind(volume) : Outcome.SETTLED;
      }
      case VolumeDecision.Keep(Reason why, String note) -> {
        reporter.kept(volume, why, note);
        yield Outcome.SETTLED;
      }
      case VolumeDecision.CannotTell(String why) ->
          new Outcome.Unanswered(
              "the claim of volume " + volume.meta().name() + " could not be looked up: " + why);
    };
  }

  private Outcome reclaim(Volume volume, boolean setReleased) throws InterruptedException {
    Volume now = volume;
    if (setReleased) {
      WriteResult<Volume> result = binding.phase(volume, VolumePhase.RELEASED, "");
      if (!(result instanceof WriteResult.Written<Volume>(Volume released))) {
        return WriteOutcomes.outcome("releasing volume " + volume.meta().name(), result);
      }
      reporter.released(released);
      now = released;
    }
    return reclaiming.reclaim(now);
  }
}
