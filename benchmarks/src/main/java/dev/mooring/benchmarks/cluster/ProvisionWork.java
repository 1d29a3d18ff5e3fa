package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Claims for which the in-tree hostPath provisioner creates volumes. */
final class ProvisionWork extends ClusterWork {
  private final UnitRequests requests = new UnitRequests(option());

  ProvisionWork() {
    super("provision", "hostPath provisions", Set.of(BinderController.NAME));
  }

  @Override
  void createShared(TestCluster cluster) throws InterruptedException {
    requests.createClass(cluster);
  }

  @Override
  void prepare(TestCluster cluster, int unit) {
    // a provision needs no existing objects
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    requests.createClaim(cluster, unit, UnitRequests.SMALL);
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return requests.isBound(cluster, unit);
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    requests.createVolume(cluster, unit, UnitRequests.SMALL);
    requests.bind(cluster, unit, UnitRequests.SMALL);
  }
}
