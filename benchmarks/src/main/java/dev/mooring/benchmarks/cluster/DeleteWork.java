package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.protection.ClaimProtection;
import dev.mooring.protection.VolumeProtection;
import java.util.Set;

/** Deletes bound claims whose volumes have reclaim policy Delete. */
final class DeleteWork extends ClusterWork {
  private static final Document NO_FINALIZERS =
      Document.empty().set(null, "metadata", "finalizers");

  private final UnitRequests requests = new UnitRequests(option());

  DeleteWork() {
    super(
        "delete",
        "deletions",
        Set.of(BinderController.NAME, ClaimProtection.NAME, VolumeProtection.NAME));
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    requests.createHostPathVolume(cluster, unit);
    requests.createClaim(cluster, unit, UnitRequests.SMALL);
    requests.bind(cluster, unit, UnitRequests.SMALL);
    // isDone takes a volume that is missing from the cache for a deleted one
    TestCluster.awaitCached(cluster.volumes, ObjectKey.cluster(requests.name(unit)));
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    cluster.delete(cluster.claims, requests.name(unit));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return cluster.volumes.get(ObjectKey.cluster(requests.name(unit))).isEmpty();
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    String name = requests.name(unit);
    cluster.patch(Kind.CLAIM, name, NO_FINALIZERS);
    cluster.patchStatus(Kind.VOLUME, name, Document.empty().set("Released", "status", "phase"));
    cluster.delete(cluster.volumes, name);
    cluster.patch(Kind.VOLUME, name, NO_FINALIZERS);
  }
}
