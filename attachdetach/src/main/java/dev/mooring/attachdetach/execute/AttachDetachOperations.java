package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachAttempts;
import dev.mooring.attachdetach.state.AttachQueues;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.RunningOperations;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.KeyedOperations.Job;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs slow work: at most one attach and one detach per volume and node, and checks. Requeues a
 * volume when its operation has ended or may be retried. Thread-safe.
 */
public final class AttachDetachOperations implements RunningOperations {
  // a detach that needs a permit for its requests to the API server
  @FunctionalInterface
  interface DetachJob {
    // detaches, and returns the permit after the last request
    JobResult run(DetachLimiter.Permit permit) throws InterruptedException;
  }

  // Checks with one name are equal.
  private record Check(String name, Job job) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Check(String otherName, Job _) && name.equals(otherName);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Duration REJECTION_PAUSE = Duration.ofMillis(10);

  private final Time time;
  private final AttachRequeue queues;
  private final DetachLimiter limiter;
  private final SuspectNodes suspects;
  private final Function<VolumeNode, Object> ownerOf;
  private final AttachAttempts attempts;
  private final KeyedOperations<VolumeNode> attachOperations;
  private final KeyedOperations<VolumeNode> detachOperations;
  private final KeyedOperations<Check> checkOperations;

  public AttachDetachOperations(
      Time time,
      DetachLimiter limiter,
      Function<VolumeNode, Object> ownerOf,
      StateOfWorld state,
      AttachRequeue queues) {
    this.time = time;
    this.queues = queues;
    this.limiter = limiter;
    this.attempts = state.attempts();
    this.suspects = state.suspects();
    this.ownerOf = ownerOf;
    // retry what a driver rejects with back-off: pods wait, and drivers get fixed
    this.attachOperations =
        new KeyedOperations<>("attach", time, Compat.KUBERNETES, queues::requeueVolume);
    this.detachOperations =
        new KeyedOperations<>("detach", time, Compat.KUBERNETES, queues::requeueVolume);
    this.checkOperations = new KeyedOperations<>("look", time, Compat.KUBERNETES, this::retryCheck);
  }

  @Override
  public Operation operation(VolumeId volume, String node) {
    VolumeNode volumeNode = new VolumeNode(volume, node);
    if (attachOperations.isRunning(volumeNode)) {
      return Operation.ATTACH;
    }
    return detachOperations.isRunning(volumeNode) ? Operation.DETACH : Operation.NONE;
  }

  boolean attach(VolumeId volume, String node, Object basis, Job job) {
    VolumeNode volumeNode = new VolumeNode(volume, node);
    attempts.add(volumeNode);
    boolean isStarted =
        attachOperations.start(volumeNode, basis, () -> countFailures(volumeNode, job.run()))
            == KeyedOperations.Start.STARTED;
    if (isStarted) {
      limiter.delayIdlePermits();
    }
    return isStarted;
  }

  // a rejection counts as a whole round: it is not retried, and other nodes may wait
  private JobResult countFailures(VolumeNode volumeNode, JobResult result) {
    switch (result) {
      case JobResult.Done _, JobResult.Noted _ ->
          attempts.updateFailures(volumeNode, failures -> 0);
      case JobResult.Failed(Failure.Rejected _) -> {
        attempts.updateFailures(volumeNode, failures -> failures + NodeView.FAILURES_PER_ROUND);
        requeueAfterEnd(volumeNode);
      }
      case JobResult.Failed _, JobResult.Unanswered _ ->
          attempts.updateFailures(volumeNode, failures -> failures + 1);
    }
    return result;
  }

  private void requeueAfterEnd(VolumeNode volumeNode) {
    time.schedule(
        REJECTION_PAUSE,
        () -> {
          if (attachOperations.isRunning(volumeNode)) {
            requeueAfterEnd(volumeNode);
          } else {
            queues.requeueVolume(volumeNode);
          }
        });
  }

  /**
   * Starts a detach, which waits for its permit. Does nothing while one runs or backs off.
   *
   * @param isAwaited whether another node waits for the volume
   */
  void detach(VolumeId volume, String node, boolean isAwaited, DetachJob job) {
    VolumeNode volumeNode = new VolumeNode(volume, node);
    DetachLimiter.Permit permit =
        limiter.createPermit(
            ownerOf.apply(volumeNode), isAwaited, () -> retryDetachSoon(volumeNode));
    attempts.add(volumeNode);
    detachOperations.start(
        volumeNode,
        volumeNode,
        () -> {
          try {
            return job.run(permit);
          } finally {
            limiter.remove(volumeNode, permit);
            permit.release();
          }
        },
        onGrant -> {
          limiter.add(volumeNode, permit);
          permit.awaitGrant(onGrant);
        });
  }

  // gives the detach priority if it still waits for its permit
  void prioritizeDetach(VolumeId volume, String node) {
    limiter.prioritize(new VolumeNode(volume, node));
  }

  /** Starts a check, unless the same check runs. Retries it soon if the server did not answer. */
  public KeyedOperations.Start startCheck(String name, Job job) {
    return checkOperations.start(new Check(name, job), job);
  }

  /**
   * Starts a check. If the same check runs, runs it once more after that, because its reads may be
   * too old.
   */
  public void startCheckAfter(String name, Job job) {
    checkOperations.start(new Check(name, job), new Object(), job);
  }

  private void retryCheck(Check check) {
    checkOperations.start(check, check.job());
  }

  public void retain(VolumeId volume, Set<String> nodes) {
    suspects.retain(volume, nodes);
    for (String node : attempts.nodes(volume)) {
      if (!nodes.contains(node)) {
        forget(new VolumeNode(volume, node));
      }
    }
  }

  // Forgets a volume that no longer concerns a node.
  public void forget(VolumeNode volumeNode) {
    suspects.forget(volumeNode);
    attempts.forget(
        volumeNode,
        () -> {
          attachOperations.forget(volumeNode);
          detachOperations.forget(volumeNode);
        });
  }

  /**
   * Retries an attach at once, because the cause of its failure is gone. Its failures still count.
   */
  public void retryAttach(VolumeNode volumeNode) {
    attachOperations.endBackoff(volumeNode);
    queues.requeueVolume(volumeNode);
  }

  // Retries the attaches of a volume to all nodes at once.
  public void retryAttaches(VolumeId volume) {
    attempts.nodes(volume).forEach(node -> retryAttach(new VolumeNode(volume, node)));
  }

  public void completeLateAttach(VolumeNode volumeNode) {
    attachOperations.forget(volumeNode);
    queues.requeueVolume(volumeNode);
  }

  // a detach that failed in preparation waits no longer than a status write
  private void retryDetachSoon(VolumeNode volumeNode) {
    time.schedule(AttachQueues.MAX_STATUS_BACKOFF, () -> retryDetach(volumeNode));
  }

  public void retryDetach(VolumeNode volumeNode) {
    detachOperations.forget(volumeNode);
    queues.requeueVolume(volumeNode);
  }

  long nanos() {
    return time.nanos();
  }

  public int countRunning() {
    return attachOperations.runningJobs() + detachOperations.runningJobs();
  }

  public boolean close(Duration grace) throws InterruptedException {
    boolean isClean = attachOperations.close(grace);
    isClean &= detachOperations.close(grace);
    checkOperations.close(Duration.ZERO);
    return isClean;
  }
}
