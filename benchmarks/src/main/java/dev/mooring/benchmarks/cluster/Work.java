package dev.mooring.benchmarks.cluster;

import java.util.List;
import java.util.Set;

/**
 * What controllers have to do: some number of units, each of which is set up, asked for, and at its
 * goal in the end. Units are told apart by their numbers; those of one work are in nobody's way.
 */
interface Work {
  String option();

  String title();

  /** The names of the controllers that do it, the same in kube-controller-manager. */
  Set<String> controllers();

  /** Makes what all units share, before any of them. */
  default void begin(TestCluster cluster) throws InterruptedException {}

  /** Makes what has to be there before a unit is asked for. */
  void prepare(TestCluster cluster, int unit) throws InterruptedException;

  /** Asks for a unit, by one request: from here on controllers have to do something. */
  void ask(TestCluster cluster, int unit) throws InterruptedException;

  /** Whether a unit that was prepared has come to its goal. */
  boolean isDone(TestCluster cluster, int unit);

  /** Does for a unit that was asked for what controllers do, and decides nothing. */
  void bare(TestCluster cluster, int unit) throws InterruptedException;

  /** The same for what can be done at once for many, after that. */
  default void bareEnd(TestCluster cluster, List<Integer> units) throws InterruptedException {}
}
