package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Claims for which the in-tree hostPath provisioner creates volumes. */
final class ProvisionWork implements ClusterWork {
  private final UnitRequests hand = new UnitRequests(option());

  @Override
  public String option() {
    return "provision";
  }

  @Override
  public String title() {
    return "hostPath provisions";
  }

  @Override
  public Set<String> controllers() {
    return Set.of(BinderController.NAME);
  }

  @Override
  public void createShared(TestCluster cluster) throws InterruptedException {
    hand.createClass(cluster);
  }

  @Override
  public void prepare(TestCluster cluster, int unit) {
    // a provision needs no existing objects
  }

  @Override
  public void request(TestCluster cluster, int unit) throws InterruptedException {
    hand.createClaim(cluster, unit, UnitRequests.SMALL);
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return hand.isBound(cluster, unit);
  }

  @Override
  public void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    hand.createVolume(cluster, unit, UnitRequests.SMALL);
    hand.bind(cluster, unit, UnitRequests.SMALL);
  }
}
