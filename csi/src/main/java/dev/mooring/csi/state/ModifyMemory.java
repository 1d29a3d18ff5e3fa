package dev.mooring.csi.state;

import dev.mooring.model.Claim;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the driver's last answers to changes of the attributes class. After a restart the
 * driver is called once more. Thread-safe.
 */
public final class ModifyMemory {
  // Class that the driver refused, and the monotonic time until which it is not requested again.
  private record RefusedTarget(String target, long retryNanos) {}

  private final Time time;
  private final Duration infeasibleDelay;
  private final Set<Uid> finishedCalls = ConcurrentHashMap.newKeySet();
  private final Map<Uid, RefusedTarget> refusedTargets = new ConcurrentHashMap<>();
  private final Map<Uid, String> problems = new ConcurrentHashMap<>();

  public ModifyMemory(Time time, Duration infeasibleDelay) {
    this.time = time;
    this.infeasibleDelay = infeasibleDelay;
  }

  public Duration infeasibleDelay() {
    return infeasibleDelay;
  }

  // Reports whether a call may be running. An earlier process may have left one.
  public boolean mayBeCalling(Claim claim) {
    return !finishedCalls.contains(claim.meta().uid());
  }

  public void recordAnswer(Claim claim, boolean isFinal) {
    if (isFinal) {
      finishedCalls.add(claim.meta().uid());
    } else {
      finishedCalls.remove(claim.meta().uid());
    }
  }

  public void recordInfeasible(Claim claim, String target) {
    refusedTargets.put(
        claim.meta().uid(), new RefusedTarget(target, time.nanos() + infeasibleDelay.toNanos()));
  }

  // Returns the remaining pause before the same class is requested again.
  public Optional<Duration> remainingPause(Claim claim, String target) {
    RefusedTarget refusal = refusedTargets.get(claim.meta().uid());
    if (refusal != null && refusal.target().equals(target)) {
      long remainingNanos = refusal.retryNanos() - time.nanos();
      if (remainingNanos > 0) {
        return Optional.of(Duration.ofNanos(remainingNanos));
      }
    }
    refusedTargets.remove(claim.meta().uid());
    return Optional.empty();
  }

  // Records why a change cannot start; returns whether an event about it is due.
  // @param isPending whether the claim's status already states some problem of its class
  public boolean recordProblem(Claim claim, String problem, boolean isPending) {
    String lastProblem = problems.put(claim.meta().uid(), problem);
    return lastProblem == null ? !isPending : !lastProblem.equals(problem);
  }

  public void forgetProblem(Claim claim) {
    problems.remove(claim.meta().uid());
  }

  public void forget(Claim claim) {
    forgetProblem(claim);
    finishedCalls.remove(claim.meta().uid());
    refusedTargets.remove(claim.meta().uid());
  }
}
