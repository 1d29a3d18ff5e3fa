package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Binds claims to volumes that an administrator has created. */
final class BindWork extends ClusterWork {
  private final boolean hasDistinctSizes;
  private final UnitRequests requests = new UnitRequests(option());

  BindWork(boolean hasDistinctSizes) {
    super(
        hasDistinctSizes ? "bind-distinct" : "bind",
        hasDistinctSizes ? "static binds, distinct sizes" : "static binds, equal sizes",
        Set.of(BinderController.NAME));
    this.hasDistinctSizes = hasDistinctSizes;
  }

  private String size(int unit) {
    return hasDistinctSizes ? 2 * unit + 1 + "Mi" : UnitRequests.SMALL; // odd: the canonical form
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    requests.createVolume(cluster, unit, size(unit));
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    requests.createClaim(cluster, unit, size(unit));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return requests.isBound(cluster, unit);
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    requests.bind(cluster, unit, size(unit));
  }
}
