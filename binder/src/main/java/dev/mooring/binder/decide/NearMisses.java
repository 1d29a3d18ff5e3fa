package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Which volumes came nearest, and the tests that each failed. */
public final class NearMisses {
  private static final int NAMED = 5;

  private record Miss(Volume volume, int failed) {}

  private NearMisses() {}

  /**
   * The nearest five, for an event's note; "" if there are no volumes at all. Words are found for
   * those five only.
   *
   * @param volumes those that are looked at
   */
  public static String of(Claim claim, List<Volume> volumes) {
    Fit.Wanted wanted = Fit.Wanted.by(claim);
    Comparator<Miss> nearest =
        Comparator.comparingInt(Miss::failed)
            .thenComparing(m -> m.volume.storage())
            .thenComparing(m -> m.volume.meta().name());
    return volumes.stream()
        .map(volume -> new Miss(volume, Fit.misfits(wanted, volume)))
        .filter(m -> m.failed > 0)
        .sorted(nearest)
        .limit(NAMED)
        .map(m ->
            m.volume.meta().name() + " " + String.join(" and ", Fit.describe(wanted, m.volume)))
        .collect(Collectors.joining("; "));
  }
}
