package dev.mooring.benchmarks.cluster;

import dev.mooring.cluster.Document;
import dev.mooring.expander.ExpandController;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import java.util.Set;

/**
 * Expands bound claims. kube-controller-manager cannot do this work: none of its in-tree plugins
 * expands volumes.
 */
final class ExpandWork extends ClusterWork {
  private static final Quantity TARGET_SIZE = Quantity.of(UnitRequests.LARGE);

  private final UnitRequests requests = new UnitRequests(option());

  ExpandWork() {
    super("expand", "expansions", Set.of(ExpandController.NAME));
  }

  @Override
  void createShared(TestCluster cluster) throws InterruptedException {
    requests.createClass(cluster);
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    requests.createHostPathVolume(cluster, unit);
    requests.createClaim(cluster, unit, UnitRequests.SMALL);
    requests.bind(cluster, unit, UnitRequests.SMALL);
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    cluster.patch(
        Kind.CLAIM,
        requests.name(unit),
        Document.empty().set(UnitRequests.LARGE, "spec", "resources", "requests", "storage"));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return cluster
        .claims
        .get(ObjectKey.of(TestCluster.NAMESPACE, requests.name(unit)))
        .filter(claim -> claim.status().storage().equals(TARGET_SIZE))
        .isPresent();
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    String name = requests.name(unit);
    cluster.patchStatus(
        Kind.CLAIM,
        name,
        Document.empty().set(UnitRequests.LARGE, "status", "allocatedResources", "storage"));
    cluster.patch(
        Kind.VOLUME, name, Document.empty().set(UnitRequests.LARGE, "spec", "capacity", "storage"));
    cluster.patchStatus(
        Kind.CLAIM,
        name,
        Document.empty().set(UnitRequests.LARGE, "status", "capacity", "storage"));
  }
}
