package dev.mooring.benchmarks.cluster;

import dev.mooring.cluster.Document;
import dev.mooring.expander.ExpandController;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import java.util.Set;

/**
 * Bound claims that ask for more. kube-controller-manager has no plugin that could give it to them:
 * none of its own grows volumes.
 */
final class Growths implements Work {
  private static final Quantity GOAL = Quantity.of(ByHand.LARGE);

  private final ByHand hand = new ByHand(option());

  @Override
  public String option() {
    return "expand";
  }

  @Override
  public String title() {
    return "expansions";
  }

  @Override
  public Set<String> controllers() {
    return Set.of(ExpandController.NAME);
  }

  @Override
  public void begin(TestCluster cluster) throws InterruptedException {
    hand.makeClass(cluster);
  }

  @Override
  public void prepare(TestCluster cluster, int unit) throws InterruptedException {
    hand.directory(cluster, unit);
    hand.claim(cluster, unit, ByHand.SMALL);
    hand.bind(cluster, unit, ByHand.SMALL);
  }

  @Override
  public void ask(TestCluster cluster, int unit) throws InterruptedException {
    cluster.patch(
        Kind.CLAIM,
        hand.name(unit),
        Document.empty().set(ByHand.LARGE, "spec", "resources", "requests", "storage"));
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return cluster
        .claims
        .get(ObjectKey.of(TestCluster.NAMESPACE, hand.name(unit)))
        .filter(claim -> claim.status().storage().equals(GOAL))
        .isPresent();
  }

  /** It is marked, the volume made larger, and the claim told. */
  @Override
  public void bare(TestCluster cluster, int unit) throws InterruptedException {
    String name = hand.name(unit);
    cluster.patchStatus(
        Kind.CLAIM,
        name,
        Document.empty().set(ByHand.LARGE, "status", "allocatedResources", "storage"));
    cluster.patch(
        Kind.VOLUME, name, Document.empty().set(ByHand.LARGE, "spec", "capacity", "storage"));
    cluster.patchStatus(
        Kind.CLAIM, name, Document.empty().set(ByHand.LARGE, "status", "capacity", "storage"));
  }
}
