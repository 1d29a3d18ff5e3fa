package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.operation.Completion;
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
 * The slow work: attaches and detaches, for a volume on a node one of each at a time, and looks at
 * what is what. A volume whose operation has ended, or may be tried again, is woken. Thread-safe.
 */
public final class Operations {
  /** A detach, whose requests to the server need a permit. */
  @FunctionalInterface
  interface Detach {
    /** Detaches; how that ended. Gives the permit back when nothing more is to be asked. */
    Completion run(DetachLimiter.Permit permit) throws InterruptedException;
  }

  private static final Duration AFTER_REFUSAL = Duration.ofMillis(10);

  private final Time time;
  private final Consumer<VolumeNode> wake;
  private final DetachLimiter limiter;
  private final Function<VolumeNode, Object> ownerOf;
  private final Map<VolumeNode, DetachLimiter.Permit> permits = new ConcurrentHashMap<>();

  /** Of every volume the nodes where it was tried, and how many attaches there failed in a row. */
  private final Map<VolumeId, Map<String, Integer>> tried = new ConcurrentHashMap<>();

  private final KeyedOperations<VolumeNode> attaching;
  private final KeyedOperations<VolumeNode> detaching;
  private final KeyedOperations<String> looking;
  private final Map<String, Job> unanswered = new ConcurrentHashMap<>(); // looks
  private final Map<String, Job> next = new ConcurrentHashMap<>(); // looks after those that run

  /**
   * Nothing runs yet.
   *
   * @param limiter lets so many detaches at a time ask the server
   * @param ownerOf the namespace that a volume on a node serves
   * @param wake has a volume looked at again; must be quick
   */
  public Operations(
      Time time,
      DetachLimiter limiter,
      Function<VolumeNode, Object> ownerOf,
      Consumer<VolumeNode> wake) {
    this.time = time;
    this.wake = wake;
    this.limiter = limiter;
    this.ownerOf = ownerOf;
    // what a driver refuses is tried again with back-off: pods wait, and drivers are mended
    this.attaching = new KeyedOperations<>("attach", time, Compat.KUBERNETES, wake);
    this.detaching = new KeyedOperations<>("detach", time, Compat.KUBERNETES, wake);
    this.looking = new KeyedOperations<>("look", time, Compat.KUBERNETES, this::askAgain);
  }

  /** What is being done to the volume on the node. */
  public Running running(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    if (attaching.isRunning(pair)) {
      return Running.ATTACH;
    }
    return detaching.isRunning(pair) ? Running.DETACH : Running.NOTHING;
  }

  /**
   * Attaches; whether that was begun.
   *
   * @param basis what the attach rests on: what was refused is not tried again with the same
   */
  boolean attach(VolumeId volume, String node, Object basis, Job job) {
    tried(volume, node);
    VolumeNode pair = new VolumeNode(volume, node);
    boolean begun =
        attaching.start(pair, basis, () -> counted(pair, job.run()))
            == KeyedOperations.Start.STARTED;
    if (begun) {
      limiter.makeWay();
    }
    return begun;
  }

  /** A refusal counts for a whole round: the same is not tried again, and others may wait. */
  private Completion counted(VolumeNode pair, Completion end) {
    switch (end) {
      case Completion.Done _, Completion.Noted _ -> count(pair, before -> 0);
      case Completion.Failed(Failure.Rejected _) -> {
        count(pair, before -> before + NodeView.ROUND);
        wakeWhenOver(pair);
      }
      case Completion.Failed _, Completion.Unanswered _ -> count(pair, before -> before + 1);
    }
    return end;
  }

  /** What ends after its pair was forgotten leaves nothing behind. */
  private void count(VolumeNode pair, UnaryOperator<Integer> counts) {
    tried.computeIfPresent(
        pair.volume(),
        (id, nodes) -> {
          nodes.computeIfPresent(pair.node(), (node, before) -> counts.apply(before));
          return nodes;
        });
  }

  private void wakeWhenOver(VolumeNode pair) {
    time.schedule(
        AFTER_REFUSAL,
        () -> {
          if (attaching.isRunning(pair)) {
            wakeWhenOver(pair);
          } else {
            wake.accept(pair);
          }
        });
  }

  /** How many attaches of the volume to the node failed in a row. */
  public int failures(VolumeId volume, String node) {
    return tried.getOrDefault(volume, Map.of()).getOrDefault(node, 0);
  }

  /**
   * Detaches when it has its permit, unless that runs or has to wait.
   *
   * @param awaited whether somebody waits for it
   */
  void detach(VolumeId volume, String node, boolean awaited, Detach job) {
    VolumeNode pair = new VolumeNode(volume, node);
    DetachLimiter.Permit permit = limiter.permit(ownerOf.apply(pair), awaited);
    tried(volume, node);
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

  /** Somebody waits for that detach: if it still waits for its permit, it has priority. */
  void prioritizeDetach(VolumeId volume, String node) {
    DetachLimiter.Permit permit = permits.get(new VolumeNode(volume, node));
    if (permit != null) {
      permit.prioritize();
    }
  }

  /** Has a volume looked at again: what was decided, or known, about it is over. */
  void lookAgain(VolumeNode pair) {
    wake.accept(pair);
  }

  /** Looks at something, unless that is being looked at; again soon, if the server was silent. */
  public KeyedOperations.Start look(String what, Job job) {
    return looking.start(what, () -> looked(what, job));
  }

  private Completion looked(String what, Job job) throws InterruptedException {
    unanswered.remove(what);
    Completion end = job.run();
    if (end instanceof Completion.Unanswered) {
      unanswered.put(what, job);
    }
    return end;
  }

  /**
   * The same; what is being looked at is looked at once more after that: what was read may be older
   * than what this look is about.
   */
  public void lookAfter(String what, Job job) {
    next.put(what, job);
    KeyedOperations.Start start = looking.start(what, new Object(), () -> looked(what, job));
    if (start != KeyedOperations.Start.ALREADY_RUNNING) {
      next.remove(what, job);
    }
  }

  private void askAgain(String what) {
    Job after = next.remove(what);
    if (after != null) {
      lookAfter(what, after);
      return;
    }
    Job job = unanswered.remove(what);
    if (job != null && look(what, job) == KeyedOperations.Start.BACKING_OFF) {
      unanswered.putIfAbsent(what, job); // of a look that has just ended so, and has its own time
    }
  }

  private void tried(VolumeId volume, String node) {
    tried.compute(
        volume,
        (id, before) -> {
          Map<String, Integer> nodes = before == null ? new ConcurrentHashMap<>(1) : before;
          nodes.putIfAbsent(node, 0);
          return nodes;
        });
  }

  /**
   * A back-off lives as long as its volume has to do with its node: not beyond the pod and the
   * detach.
   *
   * @param nodes the nodes that the volume has to do with
   */
  public void retain(VolumeId volume, Set<String> nodes) {
    for (String node : tried.getOrDefault(volume, Map.of()).keySet()) {
      if (!nodes.contains(node)) {
        forget(new VolumeNode(volume, node));
      }
    }
  }

  /** A volume has nothing to do with a node any more. */
  public void forget(VolumeNode pair) {
    tried.computeIfPresent(
        pair.volume(),
        (id, nodes) -> {
          if (nodes.remove(pair.node()) != null) {
            attaching.forget(pair);
            detaching.forget(pair);
          }
          return nodes.isEmpty() ? null : nodes;
        });
  }

  /** Volumes of which something is kept. */
  int remembered() {
    return tried.size();
  }

  /** What an attach failed for is over: it is tried at once, and its failures count on. */
  public void attachSoon(VolumeNode pair) {
    attaching.endPause(pair);
    wake.accept(pair);
  }

  /** An attach that had failed has succeeded after all: nobody has to wait any longer. */
  public void attachedAfterAll(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    attaching.forget(pair);
    wake.accept(pair);
  }

  /** A detach has succeeded after all, or what it failed for is over. */
  public void retryDetach(VolumeId volume, String node) {
    VolumeNode pair = new VolumeNode(volume, node);
    detaching.forget(pair);
    wake.accept(pair);
  }

  /** How many attaches and detaches run, or wait for their permit. */
  public int running() {
    return attaching.running() + detaching.running();
  }

  /** Ends; whether the attaches and detaches that ran ended by themselves. */
  public boolean close(Duration grace) throws InterruptedException {
    boolean clean = attaching.close(grace);
    clean &= detaching.close(grace);
    looking.close(Duration.ZERO);
    return clean;
  }
}
