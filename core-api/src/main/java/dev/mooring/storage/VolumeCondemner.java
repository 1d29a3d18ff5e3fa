package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.CondemnationVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Condemns volumes instead of destroying their storage, and lets them wait for their deadline.
 * Thread-safe.
 */
public record VolumeCondemner(DeletionDelay delay, DelayReporter reporter) {
  private static final Duration UNREADABLE_RECHECK = Duration.ofMinutes(1);

  /**
   * Returns the outcome for a volume whose deadline has not passed; empty if the checks before a
   * destruction follow. Needs no request, unless condemned volumes exceed their limit.
   */
  public Optional<Outcome> checkWait(Volume volume) throws InterruptedException {
    return switch (delay.check(volume)) {
      case CondemnationVerdict.Due _, CondemnationVerdict.Condemn _ -> Optional.empty();
      case CondemnationVerdict.Wait(Instant until) -> {
        report(delay.endExcessDelaysSometimes());
        yield Optional.of(new Outcome.CheckAgain(delay.remaining(until)));
      }
      case CondemnationVerdict.Keep(String message) -> {
        reporter.reportUnreadableDelay(volume, message);
        yield Optional.of(new Outcome.CheckAgain(UNREADABLE_RECHECK)); // the class may change
      }
    };
  }

  /**
   * Postpones a destruction that all checks permit. Call it immediately before the destruction is
   * admitted.
   *
   * @return empty if the storage may be destroyed now; else the result of the write, or {@link
   *     WriteResult.Conflict} if the volume waits already
   */
  public Optional<WriteResult<Volume>> postpone(Volume volume) throws InterruptedException {
    return switch (delay.check(volume)) {
      case CondemnationVerdict.Due() -> Optional.empty();
      case CondemnationVerdict.Condemn(Instant until) -> Optional.of(condemn(volume, until));
      case CondemnationVerdict.Wait(Instant until) ->
          // the cache or a wrong clock showed no deadline in the future
          Optional.of(new WriteResult.Conflict<>("the volume is kept until " + until));
      case CondemnationVerdict.Keep(String message) -> {
        reporter.reportUnreadableDelay(volume, message);
        yield Optional.of(new WriteResult.Written<>(volume));
      }
    };
  }

  private WriteResult<Volume> condemn(Volume volume, Instant until) throws InterruptedException {
    WriteResult<Volume> result = delay.condemn(volume, until);
    if (result instanceof WriteResult.Written<Volume> _) {
      reporter.reportCondemned(
          volume,
          "%s; its storage is destroyed after %s. To restore the claim with its data, run 'mooring undo pv/%s'"
              .formatted(describeEnd(volume), until, volume.meta().name()));
      report(delay.endExcessDelays());
    }
    return result;
  }

  private static String describeEnd(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? "the volume is being deleted"
        : "claim " + ref.claim() + " is gone";
  }

  private void report(List<Volume> endedDelays) {
    endedDelays.forEach(volume ->
        reporter.reportCondemned(
            volume,
            "condemned volumes exceed --deletion-delay-max-bytes: the delay of this volume, the oldest, ends now"));
  }
}
