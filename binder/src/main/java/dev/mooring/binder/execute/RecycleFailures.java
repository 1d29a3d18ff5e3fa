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
    Optional<RecycleMemory.UnreportedFailure> unreported = memory.unreportedFailure(volume);
    return unreported.isEmpty()
        ? Optional.empty()
        : Optional.of(report(volume, unreported.get().reason(), unreported.get().message()));
  }

  Outcome reportAndDelay(Volume volume, String message) throws InterruptedException {
    if (style.pausesAfterFailureOf(volume)) {
      memory.recordFailureTime(volume.key());
    }
    return report(volume, Reason.RECYCLE_FAILED, message);
  }

  Outcome report(Volume volume, Reason reason, String message) throws InterruptedException {
    Outcome outcome =
        WriteOutcomes.outcome(
            "setting volume " + volume.meta().name() + " Failed",
            binding.writePhase(volume, VolumePhase.FAILED, message));
    if (outcome instanceof Outcome.Settled) {
      memory.removeUnreportedFailure(volume);
      reporter.reportRecyclingFailure(volume, reason, message);
    } else {
      memory.addUnreportedFailure(volume, reason, message);
    }
    return outcome;
  }
}
