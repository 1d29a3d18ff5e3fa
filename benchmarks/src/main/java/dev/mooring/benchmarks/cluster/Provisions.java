package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Claims for which the in-tree provisioner makes directories. */
final class Provisions implements Work {
  private final ByHand hand = new ByHand(option());

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
  public void begin(TestCluster cluster) throws InterruptedException {
    hand.makeClass(cluster);
  }

  @Override
  public void prepare(TestCluster cluster, int unit) {
    // nobody has anything for them
  }

  @Override
  public void ask(TestCluster cluster, int unit) throws InterruptedException {
    hand.claim(cluster, unit, ByHand.SMALL);
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return hand.isBound(cluster, unit);
  }

  @Override
  public void bare(TestCluster cluster, int unit) throws InterruptedException {
    hand.volume(cluster, unit, ByHand.SMALL);
    hand.bind(cluster, unit, ByHand.SMALL);
  }
}
