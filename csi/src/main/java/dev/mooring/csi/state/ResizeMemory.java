package dev.mooring.csi.state;

import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Uid;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the driver's last answers as far as the next request depends on them. After a restart
 * the driver is called once more. Thread-safe.
 */
public final class ResizeMemory {
  private final Time time;
  private final Duration infeasibleDelay;
  private final boolean waitsWhileInUse;
  private final Set<Uid> finalRefusals = ConcurrentHashMap.newKeySet();
  private final Set<Uid> refusedInUse = ConcurrentHashMap.newKeySet();
  private final Set<Uid> unansweredCalls = ConcurrentHashMap.newKeySet();
  private final Set<Uid> runningCalls = ConcurrentHashMap.newKeySet();
  private final Map<Uid, Long> pauseEnds = new ConcurrentHashMap<>();
  private final Map<Uid, String> notCalledReasons = new ConcurrentHashMap<>();

  /**
   * @param infeasibleDelay pause after a request that cannot succeed unchanged
   * @param waitsWhileInUse whether growth waits until the volume is unused, if the driver refused
   */
  public ResizeMemory(Time time, Duration infeasibleDelay, boolean waitsWhileInUse) {
    this.time = time;
    this.infeasibleDelay = infeasibleDelay;
    this.waitsWhileInUse = waitsWhileInUse;
  }

  public Duration infeasibleDelay() {
    return infeasibleDelay;
  }

  public boolean isFinallyRefused(Claim claim) {
    return finalRefusals.contains(claim.meta().uid());
  }

  // Reports whether a call may be running. An earlier process may have left one.
  // @param claim claim in the version before this reconcile
  public boolean mayBeCalling(Claim claim) {
    return unansweredCalls.contains(claim.meta().uid())
        || claim.status().resize().state() == ResizeState.CONTROLLER_IN_PROGRESS
            && !isFinallyRefused(claim);
  }

  // Returns the remaining pause before the same size is requested again. The pause starts with the
  // third request.
  public Optional<Duration> remainingPause(Claim claim) {
    Long pauseEnd = pauseEnds.get(claim.meta().uid());
    long now = time.nanos();
    if (pauseEnd != null && pauseEnd - now > 0) {
      return Optional.of(Duration.ofNanos(pauseEnd - now));
    }
    if (claim.status().resize().state() == ResizeState.CONTROLLER_INFEASIBLE) {
      pauseEnds.put(claim.meta().uid(), now + infeasibleDelay.toNanos());
    } else {
      pauseEnds.remove(claim.meta().uid());
    }
    return Optional.empty();
  }

  public boolean recordNotCalled(Claim claim, String reason) {
    pauseEnds.remove(claim.meta().uid());
    return !reason.equals(notCalledReasons.put(claim.meta().uid(), reason));
  }

  // The request is known again: the API server answered.
  public void forgetNotCalled(Claim claim) {
    notCalledReasons.remove(claim.meta().uid());
  }

  public boolean refusesInUse(Claim claim) {
    return refusedInUse.contains(claim.meta().uid());
  }

  public boolean mayRefuseInUse(Claim claim) {
    return refusesInUse(claim) || runningCalls.contains(claim.meta().uid());
  }

  public void recordCallStart(Claim claim) {
    unansweredCalls.add(claim.meta().uid());
    if (waitsWhileInUse) {
      runningCalls.add(claim.meta().uid());
    }
  }

  /**
   * The volume is unused: earlier refusals and running calls no longer matter.
   *
   * @return whether any did
   */
  public boolean clearInUse(Claim claim) {
    boolean wasCalling = runningCalls.remove(claim.meta().uid());
    return refusedInUse.remove(claim.meta().uid()) || wasCalling;
  }

  // Another version of the driver may answer from now on.
  public void clearAllInUse() {
    runningCalls.clear();
    refusedInUse.clear();
  }

  public void recordRefusal(Claim claim, StatusCode code) {
    boolean wasCalling = runningCalls.remove(claim.meta().uid());
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.EXPAND, code);
    if (!meaning.isFinal()) {
      finalRefusals.remove(claim.meta().uid());
      pauseEnds.remove(claim.meta().uid());
      return;
    }
    recordFinalRefusal(claim);
    if (meaning.retry() != StatusCodeMeanings.Retry.SLOWLY) {
      pauseEnds.remove(claim.meta().uid());
    }
    if (code == StatusCode.FAILED_PRECONDITION && wasCalling) {
      refusedInUse.add(claim.meta().uid());
    }
  }

  // The driver answered that the volume has grown, but not to the requested size.
  public void recordShortGrowth(Claim claim) {
    runningCalls.remove(claim.meta().uid());
    recordFinalRefusal(claim);
  }

  private void recordFinalRefusal(Claim claim) {
    unansweredCalls.remove(claim.meta().uid());
    finalRefusals.add(claim.meta().uid());
  }

  public void recordSuccess(Claim claim) {
    clearInUse(claim);
    unansweredCalls.remove(claim.meta().uid());
    finalRefusals.remove(claim.meta().uid());
    pauseEnds.remove(claim.meta().uid());
  }

  public void forget(Claim claim) {
    recordSuccess(claim);
    notCalledReasons.remove(claim.meta().uid());
  }
}
