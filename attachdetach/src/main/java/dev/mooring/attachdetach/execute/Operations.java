package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.operation.Completion;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.KeyedOperations.Job;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * The slow work: attaches and detaches, for a volume on a node one of each at a time, and looks at
 * what is what. A volume whose operation has ended, or may be tried again, is woken. Thread-safe.
 */
public final class Operations {
  /** A volume on a node: what attaches and detaches are about. */
  private record Pair(VolumeId volume, String node) {}

  /** A detach, whose requests to the server need a turn. */
  @FunctionalInterface
  interface Detach {
    /** Detaches; how that ended. Ends the turn when nothing more is to be asked. */
    Completion run(Lane.Turn turn) throws InterruptedException;
  }

  private static final Duration AFTER_REFUSAL = Duration.ofMillis(10);

  private final Time time;
  private final Consumer<VolumeId> wake;
  private final Map<Pair, Integer> failures = new ConcurrentHashMap<>();
  private final Lane lane;
  private final Map<Pair, Lane.Turn> turns = new ConcurrentHashMap<>();
  private final Map<VolumeId, Set<String>> tried =
      new ConcurrentHashMap<>(); // with a back-off, or more
  private final KeyedOperations<Pair> attaching;
  private final KeyedOperations<Pair> detaching;
  private final KeyedOperations<String> looking;

  /**
   * Nothing runs yet.
   *
   * @param threads makes the operations' threads
   * @param lane lets so many detaches at a time ask the server
   * @param wake has a volume looked at again; must be quick
   */
  public Operations(Time time, ThreadFactory threads, Lane lane, Consumer<VolumeId> wake) {
    this.time = time;
    this.wake = wake;
    this.lane = lane;
    // what a driver refuses is tried again with back-off: pods wait, and drivers are mended
    this.attaching =
        new KeyedOperations<>(
            "attach", time, Compat.KUBERNETES, pair -> wake.accept(pair.volume()), threads);
    this.detaching =
        new KeyedOperations<>(
            "detach", time, Compat.KUBERNETES, pair -> wake.accept(pair.volume()), threads);
    this.looking = new KeyedOperations<>("look", time, Compat.KUBERNETES, what -> {}, threads);
  }

  /** What is being done to the volume on the node. */
  public Running running(VolumeId volume, String node) {
    Pair pair = new Pair(volume, node);
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
    Pair pair = new Pair(volume, node);
    boolean begun =
        attaching.start(pair, basis, () -> counted(pair, job.run()))
            == KeyedOperations.Start.STARTED;
    if (begun) {
      lane.makeWay();
    }
    return begun;
  }

  /** A refusal counts for a whole round: the same is not tried again, and others may wait. */
  private Completion counted(Pair pair, Completion end) {
    switch (end) {
      case Completion.Done _, Completion.Noted _ -> failures.remove(pair);
      case Completion.Failed(Failure.Rejected _) -> {
        failures.merge(pair, NodeView.ROUND, Integer::sum);
        wakeWhenOver(pair);
      }
      case Completion.Failed _ -> failures.merge(pair, 1, Integer::sum);
    }
    return end;
  }

  private void wakeWhenOver(Pair pair) {
    time.schedule(
        AFTER_REFUSAL,
        () -> {
          if (attaching.isRunning(pair)) {
            wakeWhenOver(pair);
          } else {
            wake.accept(pair.volume());
          }
        });
  }

  /** How many attaches of the volume to the node failed in a row. */
  public int failures(VolumeId volume, String node) {
    return failures.getOrDefault(new Pair(volume, node), 0);
  }

  /**
   * Detaches when it is its turn, unless that runs or has to wait.
   *
   * @param awaited whether somebody waits for it
   */
  void detach(VolumeId volume, String node, boolean awaited, Detach job) {
    Pair pair = new Pair(volume, node);
    Lane.Turn turn = lane.turn(awaited);
    tried(volume, node);
    detaching.start(
        pair,
        pair,
        () -> {
          try {
            return job.run(turn);
          } finally {
            turns.remove(pair, turn);
            turn.end();
          }
        },
        begin -> {
          turns.put(pair, turn);
          turn.whenItComes(begin);
        });
  }

  /** Somebody waits for that detach: if it still waits for its turn, it goes before others. */
  void hurryDetach(VolumeId volume, String node) {
    Lane.Turn turn = turns.get(new Pair(volume, node));
    if (turn != null) {
      turn.hurry();
    }
  }

  /** Looks at something, unless that is being looked at; whether that was begun. */
  public boolean look(String what, Job job) {
    return looking.start(what, job) == KeyedOperations.Start.STARTED;
  }

  private void tried(VolumeId volume, String node) {
    tried.compute(
        volume,
        (id, before) -> {
          Set<String> nodes = before == null ? new HashSet<>() : before;
          nodes.add(node);
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
    tried.computeIfPresent(
        volume,
        (id, before) -> {
          before.removeIf(node -> {
            if (nodes.contains(node)) {
              return false;
            }
            failures.remove(new Pair(id, node));
            attaching.forget(new Pair(id, node));
            detaching.forget(new Pair(id, node));
            return true;
          });
          return before.isEmpty() ? null : before;
        });
  }

  /** Volumes of which something is kept. */
  int remembered() {
    return tried.size();
  }

  /** An attach that had failed has succeeded after all: nobody has to wait any longer. */
  public void attachedAfterAll(VolumeId volume, String node) {
    attaching.forget(new Pair(volume, node));
    wake.accept(volume);
  }

  /** A detach has succeeded after all, or what it failed for is over. */
  public void retryDetach(VolumeId volume, String node) {
    detaching.forget(new Pair(volume, node));
    wake.accept(volume);
  }

  /** How many attaches and detaches run, or wait for their turn. */
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
