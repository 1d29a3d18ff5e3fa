package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.observe.AttachViews;
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
 * Looks at volumes and has done what is decided. For a volume that one node at a time may have
 * nodes compete, so all of them are looked at together; of a volume that nodes may share each node
 * is looked at by itself, which costs the same however many there are.
 *
 * <p>Two looks at one volume never overlap, whatever their keys: to see that no other node has an
 * exclusive volume and to note that this one is to have it is one act, also while a volume that was
 * shared becomes exclusive. Thread-safe.
 */
final class VolumeReconciler {
  /**
   * What is looked at.
   *
   * @param volume the volume
   * @param node the node; "" for all that have to do with it
   */
  record Key(VolumeId volume, String node) {
    static Key everywhere(VolumeId volume) {
      return new Key(volume, "");
    }

    boolean isEverywhere() {
      return node.isEmpty();
    }
  }

  private static final Duration EVIDENCE_EVERY = Duration.ofSeconds(2);
  private static final int LOCKS = 64;

  private final WorkQueue<Key> queue;
  private final AttachViews views;
  private final Execution execution;
  private final AttachDetachConfig config;
  private final Consumer<VolumeId> waits;
  private final DetachRules rules;
  private final Set<VolumeId> exclusive = ConcurrentHashMap.newKeySet(); // at their last change
  private final List<Lock> locks =
      IntStream.range(0, LOCKS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

  /**
   * Looks at what the queue has.
   *
   * @param waits called with a volume that a node waits for
   */
  VolumeReconciler(
      WorkQueue<Key> queue,
      AttachViews views,
      Execution execution,
      AttachDetachConfig config,
      Consumer<VolumeId> waits) {
    this.queue = queue;
    this.views = views;
    this.execution = execution;
    this.config = config;
    this.waits = waits;
    this.rules = new DetachRules(config.forceOnTimeout(), DetachRules.SIX_MINUTES);
  }

  /** Something concerning the volume on the node has changed. */
  void wake(VolumeNode where) {
    VolumeId volume = where.volume();
    if (views.isExclusive(volume)) {
      exclusive.add(volume);
      queue.add(Key.everywhere(volume));
    } else if (exclusive.remove(volume)) {
      queue.add(Key.everywhere(volume)); // nodes may wait that share it by now
    } else {
      queue.add(new Key(volume, where.node()));
    }
  }

  /** Looks. */
  Outcome look(Key key) {
    Lock lock = lock(key.volume());
    lock.lock();
    try {
      return key.isEverywhere() ? everywhere(key.volume()) : there(key);
    } finally {
      lock.unlock();
    }
  }

  /** Runs something quick while nobody looks at the volume: what it finds begun has begun. */
  void whileNobodyLooks(VolumeId volume, Runnable what) {
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

  private Outcome everywhere(VolumeId id) {
    AttachView view = views.of(id);
    Set<String> nodes = view.nodes().stream().map(NodeView::node).collect(Collectors.toSet());
    execution.retain(id, nodes);
    if (!view.exclusive()) {
      execution.reporter.freed(id);
      nodes.forEach(node -> queue.add(new Key(id, node))); // it is shared by now
      return Outcome.SETTLED;
    }
    List<AttachStep> decided = run(view);
    return again(decided, execution.reporter.decided(id, decided));
  }

  private Outcome there(Key key) {
    AttachView view = views.of(key.volume(), key.node());
    if (view.exclusive()) {
      queue.add(Key.everywhere(key.volume())); // it is by now
      return Outcome.SETTLED;
    }
    execution.reporter.freed(key.volume());
    if (view.nodes().isEmpty()) {
      execution.forget(new VolumeNode(key.volume(), key.node()));
      return Outcome.SETTLED;
    }
    return again(run(view), Optional.empty());
  }

  private List<AttachStep> run(AttachView view) {
    List<AttachStep> decided = AttachDecider.decide(view, rules);
    boolean awaited = decided.stream().anyMatch(step -> step instanceof AttachStep.Blocked);
    decided.forEach(step -> execution.steps.run(view, step, awaited, config.failoverByEvidence()));
    if (awaited) {
      waits.accept(view.id());
    }
    return decided;
  }

  private Outcome again(List<AttachStep> decided, Optional<Duration> untold) {
    Optional<Duration> evidence =
        config.failoverByEvidence() && decided.stream().anyMatch(Execution::isSuspect)
            ? Optional.of(EVIDENCE_EVERY)
            : Optional.empty();
    return Stream.of(AttachDecider.lookAgain(decided), untold, evidence)
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .<Outcome>map(Outcome.CheckAgain::new)
        .orElse(Outcome.SETTLED);
  }
}
