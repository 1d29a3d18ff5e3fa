package dev.mooring.benchmarks.cluster;

import java.util.List;
import java.util.Set;

/**
 * A kind of work for controllers, as a number of independent units. A unit is prepared, then
 * requested, and finally done.
 */
interface ClusterWork {
  String option();

  String title();

  /**
   * Returns the names of the controllers that do it, which are the same in kube-controller-manager.
   */
  Set<String> controllers();

  default void createShared(TestCluster cluster) throws InterruptedException {}

  void prepare(TestCluster cluster, int unit) throws InterruptedException;

  /** Requests a unit by one write; from then on controllers have work. */
  void request(TestCluster cluster, int unit) throws InterruptedException;

  boolean isDone(TestCluster cluster, int unit);

  /** Makes the writes that controllers make for a requested unit, without decisions. */
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException;

  /**
   * Makes the writes that can be combined for many units, after {@link #writeDirectly} of all of
   * them.
   */
  default void writeCombined(TestCluster cluster, List<Integer> units)
      throws InterruptedException {}
}
