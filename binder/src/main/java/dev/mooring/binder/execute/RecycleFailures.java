package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.state.RecycleMemory;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import java.util.Optional;

/** Reports recycling failures in the volume's phase and in an event. Thread-safe. */
record RecycleFailures(
    BindingWriter binding, BinderReporter reporter, RecycleMemory memory, RecyclerStyle style) {
  /** Reports a failure that could not be written before; empty if there is none. */
  Optional<Outcome> reportRemembered(Volume volume) throws InterruptedException {
    Optional<RecycleMemory.UnreportedFailure> left = memory.unreportedFailure(volume);
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(report(volume, left.get().why(), left.get().message()));
  }

  Outcome reportAndDelay(Volume volume, String message) throws InterruptedException {
    if (style.pausesAfterFailureOf(volume)) {
      memory.failed(volume.key());
    }
    return report(volume, Reason.RECYCLE_FAILED, message);
  }

  Outcome report(Volume volume, Reason why, String message) throws InterruptedException {
    Outcome written =
        WriteOutcomes.outcome(
            "setting volume " + volume.meta().name() + " Failed",
            binding.phase(volume, VolumePhase.FAILED, message));
    if (written instanceof Outcome.Settled) {
      memory.reported(volume);
      reporter.recycleFailed(volume, why, message);
    } else {
      memory.unreported(volume, why, message);
    }
    return written;
  }
}
