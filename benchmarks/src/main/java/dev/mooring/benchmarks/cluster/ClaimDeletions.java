package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.protection.ClaimProtection;
import dev.mooring.protection.VolumeProtection;
import java.util.Set;

/** Bound claims that are deleted, whose volumes go with them. */
final class ClaimDeletions implements Work {
  private static final Document NO_FINALIZERS =
      Document.empty().set(null, "metadata", "finalizers");

  private final ByHand hand = new ByHand(option());

  @Override
  public String option() {
    return "delete";
  }

  @Override
  public String title() {
    return "deletions";
  }

  @Override
  public Set<String> controllers() {
    return Set.of(BinderController.NAME, ClaimProtection.NAME, VolumeProtection.NAME);
  }

  @Override
  public void prepare(TestCluster cluster, int unit) throws InterruptedException {
    hand.directory(cluster, unit);
    hand.claim(cluster, unit, ByHand.SMALL);
    hand.bind(cluster, unit, ByHand.SMALL);
    // what is not seen yet looks like what is gone
    TestCluster.seen(cluster.volumes, ObjectKey.cluster(hand.name(unit)));
  }

  @Override
  public void ask(TestCluster cluster, int unit) throws InterruptedException {
    cluster.delete(cluster.claims, hand.name(unit));
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return cluster.volumes.get(ObjectKey.cluster(hand.name(unit))).isEmpty();
  }

  @Override
  public void bare(TestCluster cluster, int unit) throws InterruptedException {
    String name = hand.name(unit);
    cluster.patch(Kind.CLAIM, name, NO_FINALIZERS);
    cluster.patchStatus(Kind.VOLUME, name, Document.empty().set("Released", "status", "phase"));
    cluster.delete(cluster.volumes, name);
    cluster.patch(Kind.VOLUME, name, NO_FINALIZERS);
  }
}
