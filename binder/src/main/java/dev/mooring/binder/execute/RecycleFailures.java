package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports recycling failures in the volume's phase and in an event. It remembers a failure that
 * could not be written, because the failed pod may be gone by the next sync. Thread-safe.
 */
final class RecycleFailures {
  private static final long BETWEEN = Duration.ofSeconds(10).toNanos();

  private record UnreportedFailure(Uid volume, Reason why, String message) {}

  private final BindingWriter binding;
  private final BinderReporter reporter;
  private final Time time;
  private final RecyclerStyle style;
  private final Map<ObjectKey, Long> failedAt = new ConcurrentHashMap<>();
  private final Map<ObjectKey, UnreportedFailure> unreported = new ConcurrentHashMap<>();

  RecycleFailures(BindingWriter binding, BinderReporter reporter, Time time, RecyclerStyle style) {
    this.binding = binding;
    this.reporter = reporter;
    this.time = time;
    this.style = style;
  }

  boolean areRecent(ObjectKey volume) {
    Long failed = failedAt.get(volume);
    return failed != null && time.nanos() - failed < BETWEEN;
  }

  void forget(ObjectKey volume) {
    failedAt.remove(volume);
    unreported.remove(volume);
  }

  Optional<Outcome> reportRemembered(Volume volume) throws InterruptedException {
    UnreportedFailure left = unreported.get(volume.key());
    return left == null || !left.volume.equals(volume.meta().uid())
        ? Optional.empty()
        : Optional.of(report(volume, left.why, left.message));
  }

  Outcome reportAndDelay(Volume volume, String message) throws InterruptedException {
    if (style.pausesAfterFailureOf(volume)) {
      failedAt.put(volume.key(), time.nanos());
    }
    return report(volume, Reason.RECYCLE_FAILED, message);
  }

  Outcome report(Volume volume, Reason why, String message) throws InterruptedException {
    Outcome written =
        WriteOutcomes.outcome(
            "setting volume " + volume.meta().name() + " Failed",
            binding.phase(volume, VolumePhase.FAILED, message));
    if (written instanceof Outcome.Settled) {
      unreported.remove(volume.key());
      reporter.recycleFailed(volume, why, message);
    } else {
      unreported.put(volume.key(), new UnreportedFailure(volume.meta().uid(), why, message));
    }
    return written;
  }
}
