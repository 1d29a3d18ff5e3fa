package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.WaitingGroup;
import java.util.List;

/** Sorts and groups waiting objects once for each snapshot. Thread-safe. */
public final class WaitingCauses {
  /**
   * Waiting objects of one snapshot.
   *
   * @param explanations the most urgent first, then the oldest
   * @param groups the explanations by cause
   */
  public record Grouping(
      WaitingSnapshot snapshot, List<Explanation> explanations, List<WaitingGroup> groups) {
    static Grouping of(WaitingSnapshot snapshot) {
      List<Explanation> sorted = snapshot.sortedExplanations();
      return new Grouping(snapshot, sorted, WaitingGroup.of(sorted));
    }
  }

  private volatile Grouping last = Grouping.of(WaitingSnapshot.NONE);

  public WaitingCauses() {}

  public Grouping group(WaitingSnapshot snapshot) {
    Grouping grouping = last;
    if (grouping.snapshot() != snapshot) {
      grouping = Grouping.of(snapshot);
      last = grouping;
    }
    return grouping;
  }
}
