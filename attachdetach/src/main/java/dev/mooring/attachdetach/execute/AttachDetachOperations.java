package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Running;
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

  private static final Duration AFTER_REFUSAL = Duration.ofMillis(10);

  private final Time time;
  private final AttachRequeue requeue;
  private final DetachLimiter limiter;
  private final SuspectNodes suspects;
  private final Function<VolumeNode, Object> ownerOf;
  private final AttachAttempts attempts;
  private final KeyedOperations<VolumeNode> attaching;
  private final KeyedOperations<VolumeNode> detaching;
  private final KeyedOperations<Check> checking;

  public AttachDetachOperations(
      Time time,
      DetachLimiter limiter,
      Function<VolumeNode, Object> ownerOf,
      StateOfWorld state,
      AttachRequeue requeue) {
    this.time = time;
    this.requeue = requeue;
    this.limiter = limiter;
    this.attempts = state.attempts();
    this.suspects = state.suspects();
    this.ownerOf = ownerOf;
    // retry what a driver rejects with back-off: pods wait, and drivers get fixed
    this.attaching = new KeyedOperations<>("attach", time, Compat.KUBERNETES, requeue::volume);
    this.detaching = new KeyedOperations<>("detach", time, Compat.KUBERNETES, requeue::volume);
    this.checking = new KeyedOperations<>("look", time, Compat.KUBERNETES, this::retryCheck);
  }

  @Override
  public Running running(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    if (attaching.isRunning(pair)) {
      return Running.ATTACH;
    }
    return detaching.isRunning(pair) ? Running.DETACH : Running.NOTHING;
  }

  boolean attach(VolumeId volume, String node, Object basis, Job job) {
    VolumeNode pair = new VolumeNode(volume, node);
    attempts.add(pair);
    boolean started =
        attaching.start(pair, basis, () -> countFailures(pair, job.run()))
            == KeyedOperations.Start.STARTED;
    if (started) {
      limiter.makeWay();
    }
    return started;
  }

  // a rejection counts as a whole round, because it is not retried and other nodes may wait
  private JobResult countFailures(VolumeNode pair, JobResult end) {
    switch (end) {
      case JobResult.Done _, JobResult.Noted _ -> attempts.count(pair, before -> 0);
      case JobResult.Failed(Failure.Rejected _) -> {
        attempts.count(pair, before -> before + NodeView.ROUND);
        requeueWhenOver(pair);
      }
      case JobResult.Failed _, JobResult.Unanswered _ -> attempts.count(pair, before -> before + 1);
    }
    return end;
  }

  private void requeueWhenOver(VolumeNode pair) {
    time.schedule(
        AFTER_REFUSAL,
        () -> {
          if (attaching.isRunning(pair)) {
            requeueWhenOver(pair);
          } else {
            requeue.volume(pair);
          }
        });
  }

  /**
   * Starts a detach, which waits for its permit. Does nothing while one runs or backs off.
   *
   * @param awaited whether another node waits for the volume
   */
  void detach(VolumeId volume, String node, boolean awaited, DetachJob job) {
    VolumeNode pair = new VolumeNode(volume, node);
    DetachLimiter.Permit permit =
        limiter.permit(ownerOf.apply(pair), awaited, () -> retryDetachSoon(pair));
    attempts.add(pair);
    detaching.start(
        pair,
        pair,
        () -> {
          try {
            return job.run(permit);
          } finally {
            limiter.remove(pair, permit);
            permit.end();
          }
        },
        begin -> {
          limiter.add(pair, permit);
          permit.whenGranted(begin);
        });
  }

  // gives the detach priority if it still waits for its permit
  void prioritizeDetach(VolumeId volume, String node) {
    limiter.prioritize(new VolumeNode(volume, node));
  }

  /** Starts a check, unless the same check runs. Retries it soon if the server did not answer. */
  public KeyedOperations.Start startCheck(String what, Job job) {
    return checking.start(new Check(what, job), job);
  }

  /**
   * Starts a check. If the same check runs, runs it once more after that, because its reads may be
   * too old.
   */
  public void startCheckAfter(String what, Job job) {
    checking.start(new Check(what, job), new Object(), job);
  }

  private void retryCheck(Check check) {
    checking.start(check, check.job());
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
  public void forget(VolumeNode pair) {
    suspects.forget(pair);
    attempts.forget(
        pair,
        () -> {
          attaching.forget(pair);
          detaching.forget(pair);
        });
  }

  /**
   * Retries an attach at once, because the cause of its failure is gone. Its failures still count.
   */
  public void retryAttach(VolumeNode pair) {
    attaching.endPause(pair);
    requeue.volume(pair);
  }

  public void attachSucceededLate(VolumeNode pair) {
    attaching.forget(pair);
    requeue.volume(pair);
  }

  // a detach that failed in preparation waits no longer than a status write
  private void retryDetachSoon(VolumeNode pair) {
    time.schedule(AttachQueues.STATUS_CAP, () -> retryDetach(pair));
  }

  public void retryDetach(VolumeNode pair) {
    detaching.forget(pair);
    requeue.volume(pair);
  }

  long nanos() {
    return time.nanos();
  }

  public int running() {
    return attaching.running() + detaching.running();
  }

  public boolean close(Duration grace) throws InterruptedException {
    boolean clean = attaching.close(grace);
    clean &= detaching.close(grace);
    checking.close(Duration.ZERO);
    return clean;
  }
}
