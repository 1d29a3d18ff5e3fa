package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.KeyedOperations.Job;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Runs slow work: at most one attach and one detach per volume and node, and checks. Requeues a
 * volume when its operation has ended or may be retried. Thread-safe.
 */
public final class AttachDetachOperations {
  // a detach that needs a permit for its requests to the API server
  @FunctionalInterface
  interface DetachJob {
    // detaches, and returns the permit after the last request
    JobResult run(DetachLimiter.Permit permit) throws InterruptedException;
  }

  private static final Duration AFTER_REFUSAL = Duration.ofMillis(10);

  private final Time time;
  private final Consumer<VolumeNode> requeue;
  private final DetachLimiter limiter;
  private final Function<VolumeNode, Object> ownerOf;
  private final Map<VolumeNode, DetachLimiter.Permit> permits = new ConcurrentHashMap<>();

  // by volume: the nodes with attempts, and the failed attaches in a row
  private final Map<VolumeId, Map<String, Integer>> attempts = new ConcurrentHashMap<>();

  private final KeyedOperations<VolumeNode> attaching;
  private final KeyedOperations<VolumeNode> detaching;
  private final KeyedOperations<String> checking;
  private final Map<String, Job> unanswered = new ConcurrentHashMap<>(); // checks
  private final Map<String, Job> next =
      new ConcurrentHashMap<>(); // checks to run after the running ones

  public AttachDetachOperations(
      Time time,
      DetachLimiter limiter,
      Function<VolumeNode, Object> ownerOf,
      Consumer<VolumeNode> requeue) {
    this.time = time;
    this.requeue = requeue;
    this.limiter = limiter;
    this.ownerOf = ownerOf;
    // retry what a driver rejects with back-off: pods wait, and drivers get fixed
    this.attaching = new KeyedOperations<>("attach", time, Compat.KUBERNETES, requeue);
    this.detaching = new KeyedOperations<>("detach", time, Compat.KUBERNETES, requeue);
    this.checking = new KeyedOperations<>("look", time, Compat.KUBERNETES, this::retryCheck);
  }

  public Running running(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    if (attaching.isRunning(pair)) {
      return Running.ATTACH;
    }
    return detaching.isRunning(pair) ? Running.DETACH : Running.NOTHING;
  }

  boolean attach(VolumeId volume, String node, Object basis, Job job) {
    recordAttempt(volume, node);
    VolumeNode pair = new VolumeNode(volume, node);
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
      case JobResult.Done _, JobResult.Noted _ -> count(pair, before -> 0);
      case JobResult.Failed(Failure.Rejected _) -> {
        count(pair, before -> before + NodeView.ROUND);
        requeueWhenOver(pair);
      }
      case JobResult.Failed _, JobResult.Unanswered _ -> count(pair, before -> before + 1);
    }
    return end;
  }

  // results for forgotten pairs are dropped
  private void count(VolumeNode pair, UnaryOperator<Integer> counts) {
    attempts.computeIfPresent(
        pair.volume(),
        (id, nodes) -> {
          nodes.computeIfPresent(pair.node(), (node, before) -> counts.apply(before));
          return nodes;
        });
  }

  private void requeueWhenOver(VolumeNode pair) {
    time.schedule(
        AFTER_REFUSAL,
        () -> {
          if (attaching.isRunning(pair)) {
            requeueWhenOver(pair);
          } else {
            requeue.accept(pair);
          }
        });
  }

  public int failures(VolumeId volume, String node) {
    return attempts.getOrDefault(volume, Map.of()).getOrDefault(node, 0);
  }

  /**
   * Starts a detach, which waits for its permit. Does nothing while one runs or backs off.
   *
   * @param awaited whether another node waits for the volume
   */
  void detach(VolumeId volume, String node, boolean awaited, DetachJob job) {
    VolumeNode pair = new VolumeNode(volume, node);
    DetachLimiter.Permit permit = limiter.permit(ownerOf.apply(pair), awaited);
    recordAttempt(volume, node);
    detaching.start(
        pair,
        pair,
        () -> {
          try {
            return job.run(permit);
          } finally {
            permits.remove(pair, permit);
            permit.end();
          }
        },
        begin -> {
          permits.put(pair, permit);
          permit.whenGranted(begin);
        });
  }

  // gives the detach priority if it still waits for its permit
  void prioritizeDetach(VolumeId volume, String node) {
    DetachLimiter.Permit permit = permits.get(new VolumeNode(volume, node));
    if (permit != null) {
      permit.prioritize();
    }
  }

  // requeues a volume whose state has changed since the decision
  void requeue(VolumeNode pair) {
    requeue.accept(pair);
  }

  /** Starts a check, unless the same check runs. Retries it soon if the server did not answer. */
  public KeyedOperations.Start startCheck(String what, Job job) {
    return checking.start(what, () -> runCheck(what, job));
  }

  private JobResult runCheck(String what, Job job) throws InterruptedException {
    unanswered.remove(what);
    JobResult end = job.run();
    if (end instanceof JobResult.Unanswered) {
      unanswered.put(what, job);
    }
    return end;
  }

  /**
   * Starts a check. If the same check runs, runs it once more after that, because its reads may be
   * too old.
   */
  public void startCheckAfter(String what, Job job) {
    next.put(what, job);
    KeyedOperations.Start start = checking.start(what, new Object(), () -> runCheck(what, job));
    if (start != KeyedOperations.Start.ALREADY_RUNNING) {
      next.remove(what, job);
    }
  }

  private void retryCheck(String what) {
    Job after = next.remove(what);
    if (after != null) {
      startCheckAfter(what, after);
      return;
    }
    Job job = unanswered.remove(what);
    if (job != null && startCheck(what, job) == KeyedOperations.Start.BACKING_OFF) {
      unanswered.putIfAbsent(
          what, job); // the check has just ended unanswered, and has its own back-off
    }
  }

  private void recordAttempt(VolumeId volume, String node) {
    attempts.compute(
        volume,
        (id, before) -> {
          Map<String, Integer> nodes = before == null ? new ConcurrentHashMap<>(1) : before;
          nodes.putIfAbsent(node, 0);
          return nodes;
        });
  }

  public void retain(VolumeId volume, Set<String> nodes) {
    for (String node : attempts.getOrDefault(volume, Map.of()).keySet()) {
      if (!nodes.contains(node)) {
        forget(new VolumeNode(volume, node));
      }
    }
  }

  public void forget(VolumeNode pair) {
    attempts.computeIfPresent(
        pair.volume(),
        (id, nodes) -> {
          if (nodes.remove(pair.node()) != null) {
            attaching.forget(pair);
            detaching.forget(pair);
          }
          return nodes.isEmpty() ? null : nodes;
        });
  }

  int trackedVolumes() {
    return attempts.size();
  }

  /**
   * Retries an attach at once, because the cause of its failure is gone. Its failures still count.
   */
  public void retryAttach(VolumeNode pair) {
    attaching.endPause(pair);
    requeue.accept(pair);
  }

  public void attachSucceededLate(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    attaching.forget(pair);
    requeue.accept(pair);
  }

  public void retryDetach(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    detaching.forget(pair);
    requeue.accept(pair);
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
