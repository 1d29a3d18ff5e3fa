package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.reconcile.Outcome;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Decides about volumes from the queue and runs the steps. Nodes compete for an exclusive volume,
 * so one decision covers all of them. Of a shared volume each node is decided separately, which
 * costs the same however many nodes there are.
 *
 * <p>Decisions about one volume never overlap, whatever their keys. The check that no other node
 * has an exclusive volume, and the record that this node gets it, are atomic, even while a shared
 * volume becomes exclusive. Thread-safe.
 */
final class VolumeReconciler {
  record QueueKey(VolumeId volume, String node) {
    static QueueKey allNodes(VolumeId volume) {
      return new QueueKey(volume, "");
    }

    boolean isAllNodes() {
      return node.isEmpty();
    }
  }

  private static final Duration EVIDENCE_EVERY = Duration.ofSeconds(2);
  private static final int LOCKS = 64;

  private final WorkQueue<QueueKey> queue;
  private final AttachViews views;
  private final AttachDetachWork work;
  private final AttachDetachConfig config;
  private final Consumer<VolumeId> onWaiting;
  private final DetachRules rules;
  private final Set<VolumeId> exclusive = ConcurrentHashMap.newKeySet(); // as of their last change
  private final List<Lock> locks =
      IntStream.range(0, LOCKS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

  VolumeReconciler(
      WorkQueue<QueueKey> queue,
      AttachViews views,
      AttachDetachWork work,
      AttachDetachConfig config,
      Consumer<VolumeId> onWaiting) {
    this.queue = queue;
    this.views = views;
    this.work = work;
    this.config = config;
    this.onWaiting = onWaiting;
    this.rules = new DetachRules(config.forceOnTimeout(), DetachRules.SIX_MINUTES);
  }

  void requeue(VolumeNode where) {
    VolumeId volume = where.volume();
    if (views.isExclusive(volume)) {
      exclusive.add(volume);
      queue.add(QueueKey.allNodes(volume));
    } else if (exclusive.remove(volume)) {
      queue.add(QueueKey.allNodes(volume)); // nodes may be waiting that now share it
    } else {
      queue.add(new QueueKey(volume, where.node()));
    }
  }

  Outcome reconcile(QueueKey key) {
    Lock lock = lock(key.volume());
    lock.lock();
    try {
      return key.isAllNodes() ? reconcileAllNodes(key.volume()) : reconcileNode(key);
    } finally {
      lock.unlock();
    }
  }

  // Runs a short task while no decision about the volume is running. Operations that it
  // sees have really started.
  void runExclusively(VolumeId volume, Runnable what) {
    Lock lock = lock(volume);
    lock.lock();
    try {
      what.run();
    } finally {
      lock.unlock();
    }
  }

  private Lock lock(VolumeId volume) {
    return locks.get(Math.floorMod(volume.hashCode(), LOCKS));
  }

  private Outcome reconcileAllNodes(VolumeId id) {
    AttachView view = views.of(id);
    Set<String> nodes = view.nodes().stream().map(NodeView::node).collect(Collectors.toSet());
    work.retain(id, nodes);
    if (!view.exclusive()) {
      work.reporter.forget(id);
      nodes.forEach(node -> queue.add(new QueueKey(id, node))); // it is shared now
      return Outcome.SETTLED;
    }
    List<AttachStep> decided = run(view);
    return outcome(decided, work.reporter.reportWaiting(id, decided));
  }

  private Outcome reconcileNode(QueueKey key) {
    AttachView view = views.of(key.volume(), key.node());
    if (view.exclusive()) {
      queue.add(QueueKey.allNodes(key.volume())); // it is exclusive now
      return Outcome.SETTLED;
    }
    work.reporter.forget(key.volume());
    if (view.nodes().isEmpty()) {
      work.forget(new VolumeNode(key.volume(), key.node()));
      return Outcome.SETTLED;
    }
    return outcome(run(view), Optional.empty());
  }

  private List<AttachStep> run(AttachView view) {
    List<AttachStep> decided = AttachDecider.decide(view, rules);
    boolean awaited = decided.stream().anyMatch(step -> step instanceof AttachStep.Blocked);
    decided.forEach(step -> work.steps.run(view, step, awaited, config.failoverByEvidence()));
    if (awaited) {
      onWaiting.accept(view.id());
    }
    return decided;
  }

  private Outcome outcome(List<AttachStep> decided, Optional<Duration> reportDelay) {
    Optional<Duration> evidence =
        config.failoverByEvidence() && decided.stream().anyMatch(AttachDetachWork::isSuspect)
            ? Optional.of(EVIDENCE_EVERY)
            : Optional.empty();
    return Stream.of(AttachDecider.recheckDelay(decided), reportDelay, evidence)
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .<Outcome>map(Outcome.CheckAgain::new)
        .orElse(Outcome.SETTLED);
  }
}
