package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Binds claims to volumes that an administrator has created. */
final class BindWork extends ClusterWork {
  private final boolean distinct;
  private final UnitRequests hand = new UnitRequests(option());

  BindWork(boolean distinct) {
    super(
        distinct ? "bind-distinct" : "bind",
        distinct ? "static binds, distinct sizes" : "static binds, equal sizes",
        Set.of(BinderController.NAME));
    this.distinct = distinct;
  }

  private String size(int unit) {
    return distinct ? 2 * unit + 1 + "Mi" : UnitRequests.SMALL; // odd: the canonical form
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    hand.createVolume(cluster, unit, size(unit));
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    hand.createClaim(cluster, unit, size(unit));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return hand.isBound(cluster, unit);
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    hand.bind(cluster, unit, size(unit));
  }
}
