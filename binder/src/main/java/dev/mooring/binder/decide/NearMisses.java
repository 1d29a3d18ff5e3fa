package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.stream.Collectors;

/** Which volumes came nearest, and the tests that each failed. */
public final class NearMisses {
  private static final int NAMED = 5;

  private NearMisses() {}

  /**
   * The nearest five, for an event's note; "" if there are no volumes at all. Words are found for
   * those five only.
   *
   * @param volumes those that are looked at
   */
  public static String of(Claim claim, List<Volume> volumes) {
    Trials trials = Trials.ofAny(claim);
    return trials.nearestMisses(volumes, NAMED).stream()
        .map(volume -> volume.meta().name() + " " + words(trials.of(volume)))
        .collect(Collectors.joining("; "));
  }

  private static String words(Trial trial) {
    return trial.outcomes().stream()
        .filter(outcome -> !outcome.passed())
        .map(Trial.Outcome::note)
        .collect(Collectors.joining(" and "));
  }
}
