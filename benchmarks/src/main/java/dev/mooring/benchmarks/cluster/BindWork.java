package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Binds claims to volumes that an administrator has created. */
final class BindWork implements ClusterWork {
  private final boolean distinct;
  private final UnitRequests hand;

  BindWork(boolean distinct) {
    this.distinct = distinct;
    this.hand = new UnitRequests(option());
  }

  @Override
  public String option() {
    return distinct ? "bind-distinct" : "bind";
  }

  @Override
  public String title() {
    return distinct ? "static binds, distinct sizes" : "static binds, equal sizes";
  }

  @Override
  public Set<String> controllers() {
    return Set.of(BinderController.NAME);
  }

  private String size(int unit) {
    return distinct ? 2 * unit + 1 + "Mi" : UnitRequests.SMALL; // odd: the canonical form
  }

  @Override
  public void prepare(TestCluster cluster, int unit) throws InterruptedException {
    hand.createVolume(cluster, unit, size(unit));
  }

  @Override
  public void request(TestCluster cluster, int unit) throws InterruptedException {
    hand.createClaim(cluster, unit, size(unit));
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return hand.isBound(cluster, unit);
  }

  @Override
  public void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    hand.bind(cluster, unit, size(unit));
  }
}
