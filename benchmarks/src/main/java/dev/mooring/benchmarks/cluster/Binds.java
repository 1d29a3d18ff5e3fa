package dev.mooring.benchmarks.cluster;

import dev.mooring.binder.BinderController;
import java.util.Set;

/** Claims that volumes were made for. */
final class Binds implements Work {
  private final boolean distinct;
  private final ByHand hand;

  /** Of sizes of which each fits one volume best, or of one size. */
  Binds(boolean distinct) {
    this.distinct = distinct;
    this.hand = new ByHand(option());
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
    return distinct ? 2 * unit + 1 + "Mi" : ByHand.SMALL; // odd: the canonical form
  }

  @Override
  public void prepare(TestCluster cluster, int unit) throws InterruptedException {
    hand.volume(cluster, unit, size(unit));
  }

  @Override
  public void ask(TestCluster cluster, int unit) throws InterruptedException {
    hand.claim(cluster, unit, size(unit));
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return hand.isBound(cluster, unit);
  }

  @Override
  public void bare(TestCluster cluster, int unit) throws InterruptedException {
    hand.bind(cluster, unit, size(unit));
  }
}
