package dev.mooring.benchmarks.cluster;

import java.util.List;
import java.util.Set;

/**
 * A kind of work for controllers, as a number of independent units. A unit is prepared, then
 * requested, and finally done.
 */
abstract class ClusterWork {
  private final String option;
  private final String title;
  private final Set<String> controllers;

  /**
   * Creates the work.
   *
   * @param option name in {@code --works}
   * @param controllers names of the controllers that do it, which are the same in
   *     kube-controller-manager
   */
  ClusterWork(String option, String title, Set<String> controllers) {
    this.option = option;
    this.title = title;
    this.controllers = Set.copyOf(controllers);
  }

  final String option() {
    return option;
  }

  final String title() {
    return title;
  }

  final Set<String> controllers() {
    return controllers;
  }

  void createShared(TestCluster cluster) throws InterruptedException {}

  abstract void prepare(TestCluster cluster, int unit) throws InterruptedException;

  /** Requests a unit by one write; from then on controllers have work. */
  abstract void request(TestCluster cluster, int unit) throws InterruptedException;

  abstract boolean isDone(TestCluster cluster, int unit);

  /** Makes the writes that controllers make for a requested unit, without decisions. */
  abstract void writeDirectly(TestCluster cluster, int unit) throws InterruptedException;

  /**
   * Makes the writes that can be combined for many units, after {@link #writeDirectly} of all of
   * them.
   */
  void writeCombined(TestCluster cluster, List<Integer> units) throws InterruptedException {}
}
